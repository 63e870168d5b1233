"""Cases of train and predict: models, formats, settings, values never seen."""

from case import Case, case
from cases_select import BINNINGS, MODELS, POLICIES, slug

FORMATS = ["model", "bif", "xmlbif", "net", "dot", "json"]
SETTINGS = {
    "nb": ["smoothing=ml", "smoothing=dirichlet", "smoothing=mixing", "alpha=0.25"],
    "tan": ["smoothing=ml", "smoothing=dirichlet", "smoothing=mixing", "alpha=0.25"],
    "k2": ["smoothing=ml", "alpha=0.25", "parents=1"],
    "cb": ["smoothing=mixing", "alpha=0.25", "parents=2", "level=0.2", "stop=score",
           "order=class-first", "order=tests"],
    "id3": ["level=0.3", "cuts=gain", "cuts=ratio", "level=0"],
}  # fmt: skip
BLOCKS = ["blocks=data/blocks.json", "block_size=2", "level=0.3", "covariance=own",
          "correction=off", "threshold=exact", "weights=optimal", "weights=threshold",
          "prior=plug-in", "prior=uniform", "prior=chi-square", "alpha=2"]  # fmt: skip


def cases() -> list[Case]:
    """All cases of `train` and `predict`."""
    return [*train(), *predict()]


def train() -> list[Case]:
    """Models of all kinds, as models and as networks."""
    found = []
    for model in MODELS:
        for form in FORMATS:
            table = "numbers" if model == "block" else "small"
            command = f"train data/{table}.csv --model {model} --format {form} -o m.{form}"
            found.append(case(f"train-{model}-as-{form}", f"{command} --json"))
        for table in ("small", "mixed", "numbers", "led", "odd"):
            ids = " --ignore id" if table == "mixed" else ""
            command = f"train data/{table}.csv --model {model} -o m.json{ids}"
            found.append(case(f"train-{model}-on-{table}", command))
        page = f"train data/numbers.csv --model {model} -o m.json --report page.html --quiet"
        found.append(case(f"train-{model}-page", page))
        for policy in POLICIES:
            command = f"train data/mixed.csv --ignore id,void --model {model} --missing {policy}"
            found.append(case(f"train-{model}-missing-{policy}", f"{command} -o m.json"))
        for binning in BINNINGS:
            command = f"train data/numbers.csv --model {model} --discretize {binning} -o m.json"
            name = f"train-{model}-{slug(binning)}"
            found.append(case(name, command, "predict m.json data/numbers-new.csv"))
        stream = f"train data/mixed.csv --ignore id --model {model} --memory 68MB -o m.json --json"
        found.append(case(f"train-{model}-stream", stream))
        counts = f"train --counts c.counts --model {model} -o m.json --json"
        found.append(case(f"train-{model}-counts", "count data/small.csv -o c.counts", counts))
    for model, values in SETTINGS.items():
        for value in values:
            command = f"train data/small.csv --model {model} --set {value} -o m.json"
            name = f"train-{model}-set-{slug(value)}"
            found.append(case(name, command, "predict m.json data/small-new.csv"))
    for value in BLOCKS:
        command = f"train data/numbers.csv --model block --set {value} -o m.json --json"
        name = f"train-block-set-{slug(value)}"
        found.append(case(name, command, "predict m.json data/numbers-new.csv"))
    divisor = "train data/numbers.csv --model nb --discretize none --set divisor=n -o m.json"
    found.append(case("train-nb-set-divisor", divisor, "predict m.json data/numbers-new.csv"))
    for name, more in {
        "features": "--features f1,f2",
        "class": "--class f2",
        "nominal": "--nominal all",
        "quiet": "--quiet",
        "default": "",
    }.items():
        command = f"train data/small.csv -o m.json {more}"
        found.append(case(f"train-columns-{name}", command))
    for method in ("mdl-fs", "mrmr", "wrapper", "rpdmb", "k2-as", "all"):
        select = f"select data/small.csv --method {method} --no-honest -o s.json"
        chosen = "train data/small.csv --selection s.json -o m.json --json"
        found.append(case(f"train-selection-{method}", select, chosen))
    select = "select data/numbers.csv --method separation -o s.json"
    chosen = "train data/numbers.csv --selection s.json -o m.json --report page.html"
    found.append(case("train-selection-separation", select, chosen))
    other = "train data/numbers.csv --selection s.json --discretize width:3 -o m.json"
    found.append(case("train-selection-coding", select, other))
    counted = ["count data/small.csv -o c", "select --counts c --method mrmr -o s.json"]
    counted.append("train --counts c --selection s.json --model nb -o m.json --json")
    found.append(case("train-selection-counts", *counted))
    foreign = ["select data/led.csv --method cfs -o s.json"]
    foreign.append("train data/small.csv --selection s.json -o m.json")
    found.append(case("train-selection-foreign", *foreign))
    return found


def predict() -> list[Case]:
    """Predictions: printed, written, of missing, unseen and absent values."""
    found = []
    for model in MODELS:
        train = f"train data/mixed.csv --ignore id --model {model} -o m.json"
        command = "predict m.json data/mixed-new.csv"
        found.append(case(f"predict-{model}-mixed", train, command))
        written = f"{command} -o p.csv --json"
        found.append(case(f"predict-{model}-written", train, written))
        train = f"train data/mixed.csv --ignore id,void --missing drop --model {model} -o m.json"
        found.append(case(f"predict-{model}-drop", train, command))
        train = f"train data/led.csv --model {model} -o m.json"
        found.append(case(f"predict-{model}-led", train, "predict m.json data/led-new.csv"))
        train = f"train data/wave.csv --model {model} --features x5,x9,x12,x17 -o m.json"
        found.append(case(f"predict-{model}-wave", train, "predict m.json data/wave-new.csv"))
        train = f"train data/small.csv --model {model} -o m.json"
        for how in ("refuse", "sum-out"):
            absent = f"predict m.json - --absent {how}"
            rows = "f1,f2\n0,a\n1,b\n1,c\n0,\n7,b\n"
            found.append(case(f"predict-{model}-absent-{how}", train, absent, stdin=rows))
        train = f"train data/labels.csv --model {model} -o m.json --json"
        found.append(case(f"predict-{model}-labels", train, "predict m.json data/labels.csv"))
    train = "train data/small.csv --model tan -o m.json"
    for name, command in {
        "parquet": "predict m.json data/small-new.csv -o p.parquet",
        "gz": "predict m.json data/small-new.csv -o p.csv.gz",
        "no-probabilities": "predict m.json data/small-new.csv --proba=false",
        "probabilities": "predict m.json data/small-new.csv --proba true --quiet",
        "memory": "predict m.json data/small-new.csv --memory 68MB",
        "memory-written": "predict m.json data/small-new.csv --memory 68MB -o p.csv --json",
        "na": "predict m.json data/small-new.csv --na a",
        "nominal": "predict m.json data/small-new.csv --nominal all",
        "threads": "predict m.json data/small-new.csv --threads 1",
        "other": "predict m.json data/led-new.csv",
        "stdin": "predict m.json -",
    }.items():
        rows = "f5,f4,f3,f2,f1\nu,3,1,b,0\nv,0,0,c,1\n,,,,\n"
        found.append(case(f"predict-{name}", train, command, stdin=rows))
    steps = [
        train,
        "predict m.json data/small-new.csv -o p.parquet",
        "describe p.parquet --class predicted --json",
    ]
    found.append(case("predict-parquet-read", *steps))
    return found
