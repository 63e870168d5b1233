"""Cases of describe, score, compare, count, merge, generate, network, reproduce and listings."""

from case import Case, case
from cases_select import BINNINGS, METHODS, MODELS, POLICIES, POPULATIONS, SEARCHES, slug

COMMANDS = ["describe", "select", "score", "train", "predict", "compare", "count", "merge",
            "network", "network info", "network boundary", "network sample", "network convert",
            "generate", "reproduce", "reproduce acid2011", "reproduce drugan2010",
            "reproduce inza2000", "reproduce pavlenko2004", "reproduce singh1995", "methods",
            "completions"]  # fmt: skip
GENERATORS = ["example1", "led24", "planted100", "redundant21", "waveform40"]


def cases() -> list[Case]:
    """All cases of this file."""
    return [
        *describe(),
        *score(),
        *compare(),
        *count(),
        *generate(),
        *network(),
        *reproduce(),
        *listings(),
    ]


def describe() -> list[Case]:
    """Descriptions of all tables, with pairs, levels and pages."""
    found = []
    tables = ["example", "led", "wave", "copies", "mixed", "small", "numbers", "odd", "flat"]
    for table in [*tables, "alone"]:
        command = f"describe data/{table}.csv"
        found.append(case(f"describe-{table}", command, f"{command} --json"))
    for file in ("wide.csv", "labels.csv", "tall.parquet", "wave-more.csv", "led-more.csv"):
        command = f"describe data/{file} --json"
        found.append(case(f"describe-{slug(file)}", command, f"{command} --memory 68MB"))
    for policy in POLICIES:
        command = f"describe data/mixed.csv --ignore void --missing {policy} --json"
        found.append(case(f"describe-missing-{policy}", command))
    for binning in BINNINGS:
        command = f"describe data/numbers.csv --discretize {binning} --json"
        found.append(case(f"describe-{slug(binning)}", command))
    for level in ("0", "1", "auto"):
        command = f"describe data/led.csv --levels {level}"
        found.append(case(f"describe-levels-{level}", command, f"{command} --json"))
    for name, more in {
        "pairs": "--pairs pairs.csv",
        "pairs-gz": "--pairs pairs.csv.gz",
        "pairs-parquet": "--pairs pairs.parquet",
        "page": "--report page.html",
        "top": "--top 2",
        "top-all": "--top 0",
        "class": "--class city",
        "features": "--features city,age",
        "nominal": "--nominal all",
        "numeric": "--numeric size,age",
        "na": "--na Bonn",
        "quiet": "--quiet -o d.json",
        "memory": "--memory 68MB --ignore id",
        "memory-json": "--memory 68MB --ignore id --json",
        "memory-pairs": "--memory 68MB --ignore id --pairs pairs.csv",
        "memory-page": "--memory 68MB --ignore id --report page.html",
    }.items():
        found.append(case(f"describe-mixed-{name}", f"describe data/mixed.csv {more}"))
    for file in ("mixed.tsv", "mixed.csv.gz", "mixed.arff", "mixed-bar.txt", "led.parquet"):
        found.append(case(f"describe-file-{slug(file)}", f"describe data/{file} --json"))
    for table in ("small", "mixed", "numbers"):
        counted = "describe --counts c.counts"
        steps = [f"count data/{table}.csv -o c.counts", counted, f"{counted} --json"]
        found.append(case(f"describe-counts-{table}", *steps))
        steps = [steps[0], f"{counted} --pairs pairs.csv --report page.html --quiet"]
        found.append(case(f"describe-counts-{table}-pairs", *steps))
    found.append(case("describe-stdin", "describe - --json", stdin="a,b\n1,x\n2,y\n1,x\n"))
    found.append(case("describe-some-class", "describe data/bad/some-class.csv --json"))
    found.append(case("describe-word", "describe data/bad/word.csv --json"))
    found.append(case("describe-one-row", "describe data/bad/one-row.csv --json"))
    found.append(case("describe-one-class", "describe data/bad/one-class.csv --json"))
    return found


def score() -> list[Case]:
    """Scores of sets of features, term by term."""
    found = []
    for model in ("nb", "tan"):
        for name, more in {
            "all": "",
            "two": "--features f1,f2",
            "empty-set": "--features none",
            "subsets": "--subsets data/sets.txt",
            "no-accuracy": "--features f1,f3 --cv 0",
            "cv": "--features f1,f3 --cv 3 --seed 5",
            "folds": "--features f1,f2 --folds data/folds.txt",
            "own-tree": "--features f1,f2,f3 --set auxiliary=own-tree",
            "no-tree": "--features f1,f2,f3 --set auxiliary=empty",
            "complete": "--features f1,f2 --set auxiliary=complete",
            "ess": "--features f1,f2 --set ess=5 --set alpha=0.5",
            "memory": "--features f1,f2 --memory 68MB",
            "memory-subsets": "--subsets data/sets.txt --memory 68MB",
        }.items():
            command = f"score data/small.csv --model {model} {more}"
            found.append(case(f"score-{model}-{name}", f"{command} -o s.json"))
        for policy in POLICIES:
            command = f"score data/mixed.csv --model {model} --ignore id,void --missing {policy}"
            found.append(case(f"score-{model}-missing-{policy}", f"{command} --json"))
        for binning in BINNINGS:
            command = f"score data/numbers.csv --model {model} --discretize {binning} --json"
            found.append(case(f"score-{model}-{slug(binning)}", command))
        counted = f"score --counts c.counts --model {model} --subsets data/sets.txt"
        steps = ["count data/small.csv -o c.counts", counted, f"{counted} --json"]
        found.append(case(f"score-{model}-counts", *steps))
    found.append(case("score-led", "score data/led.csv --features x1,x2,x3"))
    return found


def compare() -> list[Case]:
    """Comparisons by all protocols and tests."""
    found = []
    two = "--methods all,mdl-fs,mrmr:2 --models nb,tan"
    protocols = ["cv:3", "cv:4x2", "holdout:5:2/3", "5x2cv", "split:60/40x3"]
    for protocol in protocols:
        command = f"compare data/small.csv {two} --protocol {protocol}"
        found.append(case(f"compare-{slug(protocol)}", command, f"{command} --json"))
    for test in ("paired-t", "corrected-t", "wilcoxon", "5x2cv-f"):
        for protocol in ("cv:5", "5x2cv"):
            command = f"compare data/small.csv {two} --protocol {protocol} --test {test} -o c.json"
            found.append(case(f"compare-{test}-{slug(protocol)}", command))
    three = "compare data/small.csv data/led.csv data/example.csv data/numbers.csv data/copies.csv"
    for name, command in {
        "default": "compare data/small.csv",
        "led-more": "compare data/led-more.csv --report page.html -o c.json",
        "labels": f"compare data/labels.csv {two} --protocol cv:3 --json",
        "pipelines": "compare data/small.csv --pipeline wrapper/nb,search=floating,cv=3 "
        "--pipeline mdl-fs/nb,alpha=0.5 --pipeline all/id3 --pipeline mrmr:2/cb --protocol cv:3",
        "tables": f"{three} {two} --protocol cv:3 -o c.json",
        "tables-page": f"{three} {two} --protocol cv:3 --report page.html --runs runs.csv",
        "two-tables": f"compare data/small.csv data/led.csv {two} --protocol cv:4 -o c.json",
        "page": f"compare data/small.csv {two} --report page.html --quiet",
        "runs": f"compare data/small.csv {two} --runs runs.csv --protocol cv:3",
        "folds": f"compare data/small.csv {two} --folds data/folds.txt --json",
        "curve": f"compare data/small.csv {two} --protocol holdout:3:2/3 --learning-curve 20..70",
        "curve-sizes": "compare data/small.csv --methods all,cfs --models nb --learning-curve "
        "20,40 --protocol split:60/40x4 -o c.json --report page.html",
        "keep": "compare data/small.csv --methods mdl-fs,mrmr:2 --keep f5 --protocol cv:3 --json",
        "set": f"compare data/small.csv {two} --set alpha=0.5 --protocol cv:3 -o c.json",
        "alpha": f"compare data/small.csv {two} --alpha 0.4 --protocol cv:5 -o c.json",
        "seed": f"compare data/small.csv {two} --seed 9 --protocol cv:3 -o c.json",
        "unbinned": "compare data/numbers.csv --methods all,separation --models nb,block "
        "--discretize none --protocol cv:3 -o c.json",
        "width": f"compare data/numbers.csv {two} --discretize width:3 --protocol cv:3 -o c.json",
        "checkpoint": f"compare data/small.csv {two} --protocol cv:3 --checkpoint run.txt",
        "one": "compare data/small.csv --pipeline all/nb --protocol cv:3",
        "not-working": "compare data/small.csv --pipeline separation/nb --pipeline all/nb",
    }.items():
        found.append(case(f"compare-{name}", command))
    run = f"compare data/small.csv {two} --protocol cv:3 --checkpoint run.txt"
    more = run.replace("mrmr:2", "mrmr:2,cfs")
    resumed = [run, f"{run} --resume --json", f"{more} --resume --json", run]
    found.append(case("compare-resume", *resumed, f"{run} --resume --seed 2"))
    for model in MODELS:
        for table in ("small", "numbers"):
            command = f"compare data/{table}.csv --methods all,cfs --models {model} --protocol cv:3"
            found.append(case(f"compare-{table}-{model}", f"{command} -o c.json"))
    for policy in POLICIES:
        command = f"compare data/mixed.csv --ignore id,void --missing {policy} {two}"
        found.append(case(f"compare-missing-{policy}", f"{command} --protocol cv:3 -o c.json"))
    for method in METHODS:
        small = ",population=10,generations=2" if method == "fss-ebna" else ""
        model = "k2" if method.startswith("k2") else "block" if method == "separation" else "nb"
        table = "numbers" if method == "separation" else "small"
        pipelines = f"--pipeline {method}/{model}{small} --pipeline all/tan"
        command = f"compare data/{table}.csv {pipelines} --protocol cv:3 -o c.json"
        found.append(case(f"compare-method-{method}", command))
    return found


def count() -> list[Case]:
    """Files of counts: shards, domains, merging."""
    found = []
    for table in ("small", "mixed", "numbers", "led", "odd"):
        command = f"count data/{table}.csv -o c.counts --json"
        found.append(case(f"count-{table}", command))
        command = f"count data/{table}.csv --domains-only -o d.json"
        found.append(case(f"count-domains-{table}", command))
    parts = "data/part-1.csv data/part-2.csv data/part-3.csv"
    domains = f"count {parts} --domains-only -o d.json"
    one = "count data/part-{0}.csv --domains d.json -o p{0}.counts"
    shards = [one.format(part) for part in (1, 2, 3)]
    merged = [
        "merge p1.counts p2.counts p3.counts -o a.counts --json",
        "merge p3.counts p1.counts -o b.counts",
        "merge b.counts p2.counts -o c.counts",
        f"count {parts} --domains d.json -o whole.counts",
        f"count {parts} -o learned.counts --json",
        "select --counts a.counts --method mdl-fs --json",
        "train --counts a.counts --model tan -o m.json --json",
    ]
    found.append(case("count-merge", domains, *shards, *merged))
    found.append(case("count-merge-twice", domains, shards[0], "merge p1.counts p1.counts -o x"))
    again = "merge p1.counts b.counts -o x"
    both = [*shards[:2], "merge p1.counts p2.counts -o b.counts", again]
    found.append(case("count-merge-again", domains, *both))
    named = "count data/part-1.csv --domains d.json --shard {0} -o {0}.counts"
    steps = [domains, named.format("a"), named.format("b"), "merge a.counts b.counts -o c --json"]
    found.append(case("count-shards", *steps))
    foreign = ["count data/small.csv -o a", "count data/led.csv -o b", "merge a b -o c"]
    found.append(case("count-merge-foreign", *foreign))
    found.append(case("count-merge-one", "count data/small.csv -o a", "merge a -o b"))
    for policy in POLICIES:
        command = f"count data/mixed.csv --ignore id,void --missing {policy} -o c.counts --json"
        found.append(case(f"count-missing-{policy}", command))
    for binning in BINNINGS:
        command = f"count data/numbers.csv --discretize {binning} -o c.counts --json"
        found.append(case(f"count-{slug(binning)}", command))
    for name, more in {
        "features": "--features city,age",
        "class": "--class city",
        "nominal": "--nominal age",
        "na": "--na Bonn",
        "shard": "--shard x",
        "resume": "--resume",
        "every": "--checkpoint-every 1m",
        "quiet": "--quiet --threads 1",
    }.items():
        command = f"count data/mixed.csv {more} -o c.counts"
        found.append(case(f"count-mixed-{name}", f"{command} --json"))
    for file in ("mixed.tsv", "mixed.csv.gz", "mixed.arff", "led.parquet"):
        found.append(case(f"count-file-{slug(file)}", f"count data/{file} -o c.counts --json"))
    unseen = "count data/small.csv --domains d.json -o x.counts"
    found.append(case("count-unseen", "count data/led.csv --domains-only -o d.json", unseen))
    label = ["count data/mixed.csv --domains-only -o d.json"]
    label.append("count data/mixed-new.csv --domains d.json -o x.counts")
    found.append(case("count-new-label", *label))
    return found


def generate() -> list[Case]:
    """Artificial data, printed and written."""
    found = []
    for name in GENERATORS:
        printed = f"generate {name} --rows 12 --seed 3"
        found.append(case(f"generate-{name}", printed, f"{printed} -o d.csv --json"))
        written = f"generate {name} --rows 20 -o d.parquet --json"
        found.append(case(f"generate-{name}-parquet", written, "describe d.parquet --json"))
        repeated = f"generate {name} --rows 5 --repeat 3 -o d.csv.gz"
        found.append(case(f"generate-{name}-repeat", repeated))
    found.append(case("generate-example1-default", "generate example1"))
    found.append(case("generate-led24-default", "generate led24 -o d.csv", "describe d.csv"))
    return found


def network() -> list[Case]:
    """Networks: looked at, sampled, converted to all formats and back."""
    found = [
        case("network-info", "network info data/net.bif", "network info data/net.bif --json"),
        case("network-sample", "network sample data/net.bif --rows 30 --seed 4"),
        case("network-sample-csv", "network sample data/net.bif --rows 90 -o s.csv --json"),
        case("network-sample-parquet", "network sample data/net.bif --rows 90 -o s.parquet"),
        case("network-sample-default", "network sample data/net.bif -o s.csv --quiet"),
    ]
    for node in "abcde":
        command = f"network boundary data/net.bif {node}"
        found.append(case(f"network-boundary-{node}", command, f"{command} --json"))
    for ending in ("bif", "xml", "net", "json", "dot"):
        steps = [f"network convert data/net.bif -o n.{ending} --json"]
        if ending != "dot":
            steps += [f"network convert n.{ending} -o again.bif", f"network info n.{ending} --json"]
            steps.append(f"network sample n.{ending} --rows 10")
        found.append(case(f"network-convert-{ending}", *steps))
    boundary = ["network sample data/net.bif --rows 400 -o s.csv"]
    boundary += [f"select s.csv --class c --method {m} --json" for m in ("rpdmb", "hiton-mb")]
    found.append(case("network-boundary-learned", *boundary))
    return found


def reproduce() -> list[Case]:
    """Papers' tables on small stand-ins for their data."""
    acid = "reproduce acid2011 --data data/papers --networks alarm,boblo --sizes 100,200"
    papers = "--data data/papers"
    small = "--population 20 --quick"
    runs = {
        "acid2011": f"{acid} --samples 2",
        "acid2011-all": f"{acid} --methods mrmr,rpdmb,rpdmb-link,rpdmb-smart,iamb --seed 3",
        "acid2011-mrmr": f"{acid} --methods mrmr --samples 1",
        "drugan2010": f"reproduce drugan2010 {papers} --quick",
        "drugan2010-runs": f"reproduce drugan2010 {papers} --runs 2 --datasets car,votes,chess",
        "drugan2010-nb": f"reproduce drugan2010 {papers} --runs 2 --models nb "
        "--methods full,mdl-fs,hall,koller-sahami-min --discretize-training",
        "inza2000": f"reproduce inza2000 {papers} --datasets Ionosphere,Chess {small}",
        "inza2000-nb": f"reproduce inza2000 {papers} --datasets Chess --models nb --population 10",
        "pavlenko2004": "reproduce pavlenko2004 --trials 20",
        "pavlenko2004-small": "reproduce pavlenko2004 --blocks 20 --block-size 4 --rows 100 "
        "--trials 10 --figures 1,irrelevant --seed 5",
        "pavlenko2004-plots": "reproduce pavlenko2004 --trials 5 --plots figures",
        "singh1995": f"reproduce singh1995 {papers} --quick --datasets Voting,Voting1",
        "singh1995-order": f"reproduce singh1995 {papers} --runs 2 --free-order "
        "--methods naive-all,cb,cgr-as --datasets Voting,Voting1",
    }
    found = [case("reproduce", "reproduce")]
    for name, run in runs.items():
        found.append(case(f"reproduce-{name}", run))
        command = f"{run} --quiet -o r.json --report page.html"
        found.append(case(f"reproduce-{name}-written", command))
    checkpoint = f"{acid} --methods mrmr --samples 1 --checkpoint run.txt --json"
    found.append(case("reproduce-resume", checkpoint, f"{checkpoint} --resume", checkpoint))
    votes = f"reproduce singh1995 {papers} --runs 2 --datasets Voting --methods naive-all,cb"
    resumed = [f"{votes} --checkpoint run.txt", f"{votes} --checkpoint run.txt --resume --json"]
    found.append(case("reproduce-resume-singh1995", *resumed))
    return found


def listings() -> list[Case]:
    """Help, methods and completions."""
    found = [
        case("help", "--help", "-h", "help", ""),
        case("version", "--version", "-V"),
        case("methods", "methods"),
        case("methods-json", "methods --json"),
        case("methods-markdown", "methods --markdown"),
    ]
    for command in COMMANDS:
        found.append(case(f"help-{slug(command)}", f"{command} --help", f"{command} -h"))
    others = ["auto", "mdlp", "width", "frequency", "none", "value", "drop", "available", "refuse"]
    names = [*METHODS, *SEARCHES, *POPULATIONS, *MODELS, *others, *GENERATORS]
    for name in names:
        found.append(case(f"methods-{name}", f"methods {name}", f"methods {name} --json"))
    found.append(case("methods-mdl-fs-markdown", "methods mdl-fs --markdown"))
    for shell in ("bash", "elvish", "fish", "powershell", "zsh"):
        found.append(case(f"completions-{shell}", f"completions {shell}"))
    return found
