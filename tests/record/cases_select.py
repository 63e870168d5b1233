"""Cases of `select`: methods, models, searches, settings, options, rows outside memory."""

import re

from case import Case, case

SCORES = ["mdl-fs", "mdl", "cfs"]
RANKERS = ["mrmr", "mrmr-miq", "jmi", "cmim", "fcbf", "relief-f"]
WRAPPERS = ["wrapper", "fss-ebna", "naive-as", "k2-as", "k2-as-le"]
GAINS = ["cig-as", "cgr-as", "cdc-as"]
BOUNDARIES = ["rpdmb", "iamb", "inter-iamb", "hiton-mb", "mmmb"]
OTHERS = ["koller-sahami", "separation", "all"]
METHODS = [*SCORES, *RANKERS, *WRAPPERS, *GAINS, *BOUNDARIES, *OTHERS]
STREAMED = [*SCORES, *RANKERS[:5], *GAINS, *BOUNDARIES, "koller-sahami", "all"]
COUNTED = [*SCORES, *RANKERS[:5], "koller-sahami", "all"]
MODELS = ["nb", "tan", "k2", "cb", "id3", "block"]
SEARCHES = ["forward", "backward", "floating", "backward-floating", "best-first", "exhaustive"]
POPULATIONS = ["genetic", "ebna", "umda", "pbil", "mimic", "tree-eda", "bmda"]
POLICIES = ["value", "drop", "available", "refuse"]
BINNINGS = ["mdlp", "width:3", "frequency:4", "none"]

# Every setting of every method at values that are not its default.
SETTINGS = {
    "mdl-fs": ["auxiliary=own-tree", "auxiliary=empty", "auxiliary=complete"],
    "koller-sahami": ["k=0", "k=2", "gamma=0.01", "blanket=strongest"],
    "cfs": ["locally_predictive=on"],
    "jmi": ["alpha=0.5"],
    "cmim": ["alpha=0"],
    "fcbf": ["delta=0.05"],
    "relief-f": ["k=3", "sample=40", "threshold=0.02"],
    "wrapper": ["estimate=holdout", "estimate=train", "cv=3", "repeat=2", "rule=one-se",
                "empty=nothing", "alpha=0.5", "smoothing=ml"],
    "fss-ebna": ["cv=3", "repeat=1", "rule=best", "population=20", "selected=5",
                 "generations=3", "patience=2", "advance=better", "advance=significant"],
    "naive-as": ["estimate=train", "alpha=0.5"],
    "k2-as": ["parents=2", "alpha=0.5"],
    "k2-as-le": ["parents=1"],
    "cig-as": ["stop=chi2", "alpha=0.2"],
    "cgr-as": ["stop=chi2"],
    "cdc-as": ["stop=chi2"],
    "rpdmb": ["score=bic", "score=k2", "ess=10", "pruning=any", "pruning=all", "pruning=none",
              "tolerance=0.1", "children=total", "children=link", "duplicates=drop",
              "duplicates=keep", "max_cells=64"],
    "iamb": ["alpha=0.01", "association=mi", "power=off", "freedom=adjusted", "duplicates=keep"],
    "inter-iamb": ["alpha=0.2", "association=mi", "power=off", "freedom=adjusted"],
    "hiton-mb": ["alpha=0.01", "kmax=1", "power=off", "freedom=adjusted", "duplicates=keep"],
    "mmmb": ["alpha=0.2", "kmax=2", "power=off", "freedom=adjusted", "duplicates=keep"],
}  # fmt: skip
BLOCK_SETTINGS = ["blocks=data/blocks.json", "block_size=2", "level=0.3", "covariance=own",
                  "correction=off", "threshold=exact", "weights=optimal", "prior=plug-in",
                  "prior=uniform", "prior=chi-square"]  # fmt: skip
POPULATION_SETTINGS = "population=12 generations=4"


def cases() -> list[Case]:
    """All cases of `select`."""
    return [
        *methods(),
        *searches(),
        *settings(),
        *columns(),
        *options(),
        *checkpoints(),
        *automatic(),
        *streams(),
        *counts(),
        *large(),
    ]


def methods() -> list[Case]:
    """Every method with every model, taken or refused; every method on each kind of table."""
    found = []
    for method in METHODS:
        run = f"--method {method} --no-honest"
        for model in MODELS:
            command = f"select data/small.csv {run} --model {model} --json"
            found.append(case(f"select-{method}-{model}", command))
        tables = ["example", "mixed", "numbers", "odd"]
        for table in tables:
            ids = "--ignore id " if table == "mixed" else ""
            small = "--set population=10 --set generations=2 " if method == "fss-ebna" else ""
            table_run = f"select data/{table}.csv {ids}{small}{run}"
            found.append(case(f"select-{method}-on-{table}", f"{table_run} -o s.json"))
        no_bins = f"select data/numbers.csv {run} --discretize none --json"
        found.append(case(f"select-{method}-unbinned", no_bins))
    for method in [*SCORES, *RANKERS, *GAINS, *BOUNDARIES, "koller-sahami", "all"]:
        for table in ("led", "copies", "planted"):
            command = f"select data/{table}.csv --method {method} --json"
            found.append(case(f"select-{method}-on-{table}", command))
    return found


def searches() -> list[Case]:
    """Every search for every method that takes one."""
    found = []
    for search in [*SEARCHES, *POPULATIONS]:
        sized = f"--search {search} --no-honest"
        if search in POPULATIONS:
            sized += "".join(f" --set {setting}" for setting in POPULATION_SETTINGS.split())
        for method in [*SCORES, "wrapper"]:
            command = f"select data/small.csv --method {method} {sized}"
            found.append(case(f"select-{method}-by-{search}", f"{command} --json"))
        command = f"select data/copies.csv --method mdl-fs --features x1,x2,x3,x4,x10,x11 {sized}"
        found.append(case(f"select-mdl-fs-copies-by-{search}", command))
        if search in POPULATIONS:
            command = f"select data/small.csv --method fss-ebna --model nb {sized} --seed 7"
            found.append(case(f"select-fss-ebna-by-{search}", command))
    uniform = "--search genetic --set crossover=uniform --set generations=3 --json"
    found.append(case("select-genetic-uniform", f"select data/small.csv --method mdl {uniform}"))
    return found


def settings() -> list[Case]:
    """Every setting at a value that is not its default."""
    found = []
    for method, values in SETTINGS.items():
        for value in values:
            size = " --set population=20 --set generations=3" if method == "fss-ebna" else ""
            if value.split("=")[0] in size:
                size = " --set repeat=1"
            command = f"select data/small.csv --method {method} --set {value}{size} --no-honest"
            found.append(case(f"select-{method}-set-{slug(value)}", f"{command} --json"))
    for value in BLOCK_SETTINGS:
        command = f"select data/numbers.csv --method separation --set {value} --json"
        found.append(case(f"select-separation-set-{slug(value)}", command))
    for value in ("own-tree", "empty", "complete"):
        command = f"select data/led.csv --method mdl-fs --model nb --set auxiliary={value} --json"
        found.append(case(f"select-led-auxiliary-{value}", command))
    for method in GAINS:
        command = f"select data/led.csv --method {method} --set stop=chi2 --set test=g --json"
        found.append(case(f"select-{method}-chi2-g", command))
    return found


def columns() -> list[Case]:
    """Which columns there are, what they hold, and how cells become codes."""
    found = []
    for method in ("mdl-fs", "mrmr", "cfs", "koller-sahami", "iamb", "cig-as", "wrapper"):
        for policy in POLICIES:
            run = f"--method {method} --missing {policy} --no-honest --ignore id,void --json"
            found.append(case(f"select-{method}-missing-{policy}", f"select data/mixed.csv {run}"))
    for binning in BINNINGS:
        for method in ("mdl-fs", "jmi", "relief-f", "all"):
            run = f"--method {method} --discretize {binning} --json"
            name = f"select-{method}-{slug(binning)}"
            found.append(case(name, f"select data/numbers.csv {run}"))
            run = f"--method {method} --discretize {binning} --features age,height,city --json"
            found.append(case(f"{name}-mixed", f"select data/mixed.csv {run}"))
    plain = "select data/mixed.csv --method mdl-fs --json --ignore id"
    for name, more in {
        "nominal": "--nominal age",
        "nominal-all": "--nominal all",
        "numeric": "--numeric size",
        "numeric-some": "--numeric age,height --nominal size",
        "na": "--na NA,Bonn",
        "na-none": "--na ''",
        "class": "--class city",
        "target": "--target size",
        "features": "--features city,age,noise",
        "keep": "--keep noise",
        "keep-two": "--keep noise,height",
        "delimiter": "--delimiter ,",
    }.items():
        found.append(case(f"select-columns-{name}", f"{plain} {more}"))
    quoted = "select data/mixed.csv --method mdl-fs --json --ignore 'id,\"same as city\"'"
    found.append(case("select-columns-quoted", quoted))
    for file in ("mixed.tsv", "mixed-bar.txt", "mixed.csv.gz", "mixed.arff"):
        command = f"select data/{file} --method cfs --ignore id --json"
        found.append(case(f"select-file-{slug(file)}", command))
    for file in ("led.parquet", "led.csv.gz"):
        found.append(case(f"select-file-{slug(file)}", f"select data/{file} --method mdl-fs"))
    typed = "a,b,class\n1,u,x\n2,v,y\n1,u,x\n2,v,y\n1,v,x\n2,u,y\n"
    command = "select - --method mdl-fs --model nb"
    found.append(case("select-file-stdin", command, stdin=typed))
    return found


def options() -> list[Case]:
    """Counts, kept features, folds, seeds, honest estimates, tables and pages."""
    found = []
    for method in RANKERS:
        for count in (1, 3, 24):
            command = f"select data/led.csv --method {method} --count {count}"
            found.append(case(f"select-{method}-count-{count}", f"{command} --json"))
        keep = f"select data/led.csv --method {method} --count 4 --keep x20,x5"
        found.append(case(f"select-{method}-count-keep", keep))
    for method in [*SCORES, *WRAPPERS, *GAINS, *BOUNDARIES, *OTHERS]:
        keep = f"select data/small.csv --method {method} --keep f5 --no-honest"
        found.append(case(f"select-{method}-keep", f"{keep} --json"))
    for method in ("wrapper", "fss-ebna"):
        size = " --set population=10 --set generations=3" if method == "fss-ebna" else ""
        folds = f"select data/small.csv --method {method} --folds data/folds.txt --no-honest{size}"
        found.append(case(f"select-{method}-folds", f"{folds} --json"))
        for seed in (2, 99):
            drawn = f"select data/small.csv --method {method} --seed {seed} --no-honest{size}"
            found.append(case(f"select-{method}-seed-{seed}", f"{drawn} --json"))
    for method in ("mdl-fs", "wrapper", "naive-as", "mrmr", "all", "rpdmb"):
        for honest in ("--honest", "--honest=false", ""):
            name = f"select-{method}-{slug(honest) or 'default'}-estimate"
            command = f"select data/small.csv --method {method} {honest}"
            found.append(case(name, f"{command} -o s.json"))
    for method in ("mdl-fs", "mrmr", "wrapper", "iamb", "rpdmb", "koller-sahami", "fcbf"):
        command = f"select data/mixed.csv --ignore id --method {method} --no-honest"
        found.append(case(f"select-{method}-page", f"{command} --report page.html --quiet"))
    blocks = "select data/numbers.csv --method separation --report page.html --quiet"
    found.append(case("select-separation-page", blocks))
    led = "select data/led.csv --method mdl-fs"
    found.append(case("select-led-page-honest", f"{led} --honest --report page.html"))
    for top in (0, 1, 3):
        found.append(case(f"select-top-{top}", f"{led} --top {top}"))
    found.append(case("select-threads", f"{led} --threads 1 --json", f"{led} --threads 2 --json"))
    found.append(case("select-quiet", f"{led} --quiet -o s.json"))
    found.append(case("select-budget", f"{led} --budget 1h30m --json"))
    return found


def checkpoints() -> list[Case]:
    """Checkpoints: written, gone on from, and refused."""
    found = []
    runs = {
        "wrapper": "select data/small.csv --method wrapper --model nb --no-honest",
        "cfs": "select data/led.csv --method cfs",
        "mdl": "select data/led.csv --method mdl --search floating",
        "fss-ebna": "select data/small.csv --method fss-ebna --no-honest "
        "--set population=10 --set generations=3",
        "auto": "select data/small.csv --model nb",
    }
    for name, run in runs.items():
        again = f"{run} --checkpoint run.txt --resume --json"
        command = f"{run} --checkpoint run.txt --json"
        found.append(case(f"select-checkpoint-{name}", command, again))
    run = runs["wrapper"]
    there = f"{run} --checkpoint run.txt"
    found.append(case("select-checkpoint-there", there, there))
    found.append(case("select-checkpoint-seed", there, f"{there} --resume --seed 2"))
    found.append(case("select-checkpoint-setting", there, f"{there} --resume --set alpha=2"))
    other = there.replace("small.csv", "small-new.csv") + " --resume"
    found.append(case("select-checkpoint-data", there, other))
    found.append(case("select-checkpoint-fresh", f"{there} --resume --json"))
    return found


def automatic() -> list[Case]:
    """The choice of a method by the data."""
    commands = {
        "small": "select data/small.csv",
        "small-json": "select data/small.csv --json",
        "numbers": "select data/numbers.csv --model nb --json",
        "unbinned": "select data/numbers.csv --model nb --discretize none --json",
        "mixed": "select data/mixed.csv --ignore id --model nb",
        "folds": "select data/small.csv --folds data/folds.txt --model nb --json",
        "tan": "select data/small.csv --method auto --model tan --json --seed 3",
        "keep": "select data/small.csv --model nb --keep f5 --json",
        "page": "select data/small.csv --model nb --report page.html",
        "drop": "select data/mixed.csv --ignore id,void --missing drop --model nb --json",
        "available": "select data/mixed.csv --ignore id --missing available --json",
        "flat": "select data/flat.csv --json",
        "k2": "select data/small.csv --model k2",
        "count": "select data/small.csv --count 2",
        "search": "select data/small.csv --search forward",
        "set": "select data/small.csv --set alpha=2",
        "honest": "select data/small.csv --honest",
    }
    return [case(f"select-auto-{name}", command) for name, command in commands.items()]


def streams() -> list[Case]:
    """Rows that stay in their file: methods that take them, and those that do not."""
    found = []
    for method in METHODS:
        run = f"--method {method} --memory 68MB --json"
        tables = ["small", "mixed"] if method in STREAMED else ["small"]
        for table in tables:
            ids = " --ignore id" if table == "mixed" else ""
            command = f"select data/{table}.csv {run}{ids}"
            found.append(case(f"select-{method}-stream-{table}", command))
    for policy in POLICIES:
        for method in ("mdl-fs", "mrmr", "iamb"):
            run = f"--method {method} --memory 68MB --missing {policy} --ignore id,void --json"
            name = f"select-{method}-stream-missing-{policy}"
            found.append(case(name, f"select data/mixed.csv {run}"))
    for binning in BINNINGS:
        run = f"--method mdl-fs --memory 68MB --discretize {binning} --json"
        found.append(case(f"select-stream-{slug(binning)}", f"select data/numbers.csv {run}"))
    for file in ("led.parquet", "led.csv.gz", "mixed.arff", "mixed.tsv"):
        command = f"select data/{file} --method jmi --count 3 --memory 100MB"
        found.append(case(f"select-stream-{slug(file)}", command))
    for search in ("backward", "floating", "best-first"):
        command = f"select data/led.csv --method mdl-fs --search {search} --memory 68MB --json"
        found.append(case(f"select-stream-by-{search}", command))
    keep = "select data/led.csv --method mrmr --count 3 --keep x20 --ignore x5 --memory 68MB"
    found.append(case("select-stream-keep", keep))
    page = "select data/led.csv --method mdl-fs --memory 68MB --report page.html"
    found.append(case("select-stream-page", page))
    found.append(case("select-stream-auto", "select data/led.csv --memory 68MB"))
    return found


def counts() -> list[Case]:
    """Selections from files of counts."""
    found = []
    for table, more in {"small": "", "mixed": " --ignore id"}.items():
        count = f"count data/{table}.csv{more} -o c.counts"
        for method in METHODS if table == "small" else COUNTED:
            command = f"select --counts c.counts --method {method} --json"
            found.append(case(f"select-{method}-counts-{table}", count, command))
    count = "count data/led.csv -o c.counts"
    for name, more in {
        "default": "",
        "count": "--method mrmr --count 3",
        "keep": "--method mdl-fs --keep x20 --ignore x5",
        "features": "--method cfs --features x1,x2,x3,x9",
        "model": "--method mdl --model nb",
        "search": "--method mdl-fs --search backward",
        "set": "--method koller-sahami --set gamma=0.01",
        "page": "--method mdl-fs --report page.html",
    }.items():
        command = f"select --counts c.counts {more} -o s.json"
        found.append(case(f"select-counts-{name}", count, command))
    for policy in ("drop", "available"):
        count = f"count data/mixed.csv --ignore id,void --missing {policy} -o c.counts"
        command = "select --counts c.counts --method mrmr --json"
        found.append(case(f"select-counts-missing-{policy}", count, command))
    return found


def large() -> list[Case]:
    """Tables with many rows, many columns and many labels, in memory, in files and as counts."""
    found = []
    tables = {"tall": "tall.parquet", "labels": "labels.csv", "waves": "wave-more.csv"}
    for table, file in tables.items():
        for method in STREAMED:
            run = f"select data/{file} --method {method} --json"
            found.append(case(f"select-{method}-{table}", run, f"{run} --memory 68MB"))
        steps = [f"count data/{file} -o c.counts --json"]
        steps += [f"select --counts c.counts --method {method} --json" for method in COUNTED]
        found.append(case(f"select-counts-{table}", *steps))
    for method in [*SCORES, *RANKERS, *GAINS, "koller-sahami", "rpdmb", "iamb", "separation"]:
        command = f"select data/wide.csv --method {method} --json"
        found.append(case(f"select-{method}-wide", command))
    for method in [*WRAPPERS, "relief-f", "separation"]:
        small = " --set population=30 --set generations=3" if method == "fss-ebna" else ""
        command = f"select data/led-more.csv --method {method} --no-honest{small} --json"
        found.append(case(f"select-{method}-more-rows", command))
        command = f"select data/labels.csv --method {method} --no-honest{small} --json"
        found.append(case(f"select-{method}-labels", command))
    found.append(case("select-auto-led", "select data/led-more.csv --report page.html"))
    found.append(case("select-auto-waves", "select data/wave-more.csv --model nb -o s.json"))
    found.append(case("select-auto-wide", "select data/wide.csv --json"))
    return found


def slug(text: str) -> str:
    """The text as part of a file's name."""
    return "-".join(re.findall(r"\w+", text.lower()))
