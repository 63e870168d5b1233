"""Parameters of the classes are the settings of the engine: names, defaults, choices."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re

import pytest
from command import spelled
from estimators import ESTIMATORS, SELECTORS

import bayesieve
from bayesieve import _engine, _estimators, _run, classifiers, comparison, partitions, selectors
from bayesieve._classifier import Classifier
from bayesieve._selector import Selector

CATALOG = json.loads(_engine.catalog())
DEFAULTS = CATALOG["defaults"]


def group(name: str) -> dict[str, dict]:
    """The entries of a group, by name."""
    return {one["name"]: one for one in CATALOG["entries"] if one["group"] == name}


METHODS = {name: one for name, one in group("methods").items() if name != "auto"}
MODELS = {name: one["settings"] for name, one in group("models").items()}

#: Keeping everything needs no class: that is what no selector does.
WITHOUT_CLASS = {"all"}

PAIRS = [
    (type(selector), method) for selector in SELECTORS for method in type(selector)._method_names()
]
CLASSIFIERS = [one for one in ESTIMATORS if isinstance(one, Classifier)]


def own_parameters(cls: type[Selector] | type[Classifier]) -> dict[str, object]:
    """The parameters that the class does not share with all others, with their defaults."""
    base = Selector if issubclass(cls, Selector) else Classifier
    shared = {one.name for one in dataclasses.fields(base)}
    return {one.name: one.default for one in dataclasses.fields(cls) if one.name not in shared}


def is_same(default: object, text: str) -> bool:
    """Whether a default is the one that the engine writes as a text."""
    if isinstance(default, (int, float)) and not isinstance(default, bool):
        return float(default) == float(text)
    return spelled(default) == text


def choices_in_words(cls: type, name: str) -> list[str]:
    """The values that the docstring lists for a parameter."""
    found = re.search(rf"^ *{name} : \{{(.*?)\}}", cls.__doc__ or "", re.MULTILINE | re.DOTALL)
    return re.findall(r'"([^"]*)"', found[1]) if found else []


def test_every_method_has_one_class():
    named = [method for _, method in PAIRS]
    assert len(named) == len(set(named))
    assert set(named) == (set(METHODS) | {"auto"}) - WITHOUT_CLASS


@pytest.mark.parametrize(("cls", "method"), PAIRS)
def test_settings_are_those_of_the_engine(cls, method):
    if method == "auto":
        pytest.skip("auto has no settings of its own")
    expected = {one["name"]: one for one in METHODS[method]["settings"]}
    named = {cls._renamed.get(name, name): name for name in cls._setting_names()}
    assert set(named) == set(expected)
    parameters = own_parameters(cls)
    for name, parameter in named.items():
        default = expected[name]["default"]
        assert is_same(parameters[parameter], default), (parameter, default)


@pytest.mark.parametrize(("cls", "method"), PAIRS)
def test_choices_in_docstrings_are_those_of_the_engine(cls, method):
    if method == "auto":
        pytest.skip("auto has no settings of its own")
    by_setting = {setting: name for name, setting in cls._renamed.items()}
    for one in METHODS[method]["settings"]:
        name = by_setting.get(one["name"], one["name"])
        is_switch = isinstance(own_parameters(cls)[name], bool)
        if one.get("choices") and not is_switch:
            assert sorted(choices_in_words(cls, name)) == sorted(one["choices"]), name


@pytest.mark.parametrize(("cls", "method"), PAIRS)
def test_count_search_and_model_are_there_where_the_method_takes_them(cls, method):
    if method == "auto":
        pytest.skip("auto decides itself")
    takes, parameters = METHODS[method], own_parameters(cls)
    assert ("count" in parameters) == takes["count"]
    assert ("search" in parameters) == (takes["search"] is not None)
    # A method with one model has no choice to offer.
    assert ("model" in parameters) == (len(takes["models"]) > 1)
    if "search" in parameters:
        # None is the method's own, which goes by the number of features.
        assert parameters["search"] in (None, takes["search"])
    if "model" in parameters:
        assert parameters["model"] == takes["models"][0]
        assert choices_in_words(cls, "model") == takes["models"]


@pytest.mark.parametrize(
    "cls", dict.fromkeys(cls for cls, _ in PAIRS), ids=lambda cls: cls.__name__
)
def test_nothing_is_a_parameter_that_the_engine_does_not_have(cls):
    known = {"count", "search", "model", "settings", "cv"} | set(cls._setting_names())
    known |= set(_estimators.MEASURING)
    by = getattr(cls, "_by", None)
    assert set(own_parameters(cls)) <= known | ({by} if by else set())


def test_the_searches_are_named_in_the_docstring():
    from bayesieve import MDL

    words = MDL.__doc__.split("search : str")[1].split("naming :")[0]
    assert re.findall(r'"([^"]*)"', words) == list(group("searches"))


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=repr)
def test_settings_of_classifiers_are_those_of_the_engine(classifier):
    names = set(classifier._setting_names())
    assert {one["name"] for one in MODELS[classifier._model_name()]} <= names
    every = {one["name"] for kind in classifier._kinds for one in MODELS[kind]}
    assert names == every


def words_about(cls: type, name: str) -> str:
    """What the docstring says of a parameter, which may have others beside it."""
    found = re.search(rf"^( *)([a-z_]+, )*{name}\b.*\n(\1 .*\n|\n)*", cls.__doc__, re.MULTILINE)
    return found[0] if found else ""


SETTINGS_OF_MODELS = [
    pytest.param(cls, one, id=f"{kind} {one['name']}")
    for cls in dict.fromkeys(type(one) for one in CLASSIFIERS)
    for kind in cls._kinds
    for one in MODELS[kind]
]


@pytest.mark.parametrize(("cls", "setting"), SETTINGS_OF_MODELS)
def test_defaults_of_classifiers_are_those_of_the_engine(cls, setting):
    default = own_parameters(cls)[setting["name"]]
    if default is not None:
        assert is_same(default, setting["default"])
        return
    # None is the engine's own, which is told: as the first of the choices, or in parentheses.
    choices, words = choices_in_words(cls, setting["name"]), words_about(cls, setting["name"])
    if choices:
        assert choices[0] == setting["default"]
    else:
        is_told_elsewhere = not words or "as in :class:" in words
        assert is_told_elsewhere or f"({setting['default']})" in words


@pytest.mark.parametrize(("cls", "setting"), SETTINGS_OF_MODELS)
def test_choices_in_docstrings_of_classifiers_are_those_of_the_engine(cls, setting):
    told = choices_in_words(cls, setting["name"])
    if told:
        assert sorted(told) == sorted(setting["choices"])


@pytest.mark.parametrize("base", [Selector, Classifier])
def test_defaults_of_codings_are_those_of_the_engine(base):
    shared = {one.name: one.default for one in dataclasses.fields(base)}
    for function in (bayesieve.compare, bayesieve.describe, partitions.fit_coding):
        given = inspect.signature(function).parameters
        for name in ("missing", "discretize"):
            assert shared[name] == given[name].default == DEFAULTS[name]


def test_defaults_of_functions_are_those_of_the_engine():
    compared = inspect.signature(bayesieve.compare).parameters
    for name in ("methods", "models"):
        assert list(compared[name].default) == DEFAULTS["compare"][name]
    assert compared["alpha"].default == DEFAULTS["compare"]["alpha"]
    assert DEFAULTS["compare"]["protocol"] == comparison.DEFAULT_PROTOCOL
    assert DEFAULTS["compare"]["seed"] == DEFAULTS["select"]["seed"] == _run.SEED
    for function in (bayesieve.describe, partitions.describe, bayesieve.Counts.describe):
        default = inspect.signature(function).parameters["levels"].default
        assert default == DEFAULTS["describe"]["levels"]
    for name in ("max_labels", "max_numbers"):
        assert f"{DEFAULTS[name]:,} unless said otherwise" in partitions.fit_coding.__doc__


def test_every_model_has_one_class():
    kinds = [
        kind
        for name in classifiers.__all__
        for kind in getattr(getattr(classifiers, name), "_kinds", ())
    ]
    assert sorted(kinds) == sorted(MODELS)


@pytest.mark.parametrize("name", selectors.__all__)
def test_every_parameter_of_a_selector_is_documented(name):
    cls = getattr(selectors, name)
    # Those of all selectors are told once, by their base.
    shared = {one.name for one in dataclasses.fields(Selector)} if cls is not Selector else set()
    told = inspect.getdoc(cls).partition("Parameters\n")[2]
    for one in dataclasses.fields(cls):
        if one.name not in shared:
            assert re.search(rf"^([a-z_]+, )*{one.name}(, [a-z_]+)* : ", told, re.M), one.name
