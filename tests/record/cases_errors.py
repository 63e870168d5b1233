"""Cases that must fail, each with its exit code and a message: usage, data, outputs."""

from case import Case, case
from cases_select import slug

BAD_FILES = ["empty.csv", "blank.csv", "header.csv", "one-row.csv", "one-class.csv",
             "no-class.csv", "twice.csv", "nameless.csv", "short-row.csv", "long-row.csv",
             "open-quote.csv", "nul.csv", "latin.csv", "utf16.csv", "infinite.csv", "huge.csv",
             "many.csv", "names.csv", "incomplete.csv", "cut.parquet", "cut.csv.gz",
             "no-data.arff", "label.arff", "plain.txt", "absent.csv"]  # fmt: skip

# Options behind `select data/small.csv --method mdl-fs`.
SELECT = """
--method mdlfs
--model id3
--search upward
--count 3
--count 0
--set auxiliary=forest
--set auxilary=tree
--set auxiliary
--set auxiliary=tree --set auxiliary=tree
--keep f9
--keep class
--keep f1 --ignore f1
--keep f1,f1
--missing available
--missing skip
--budget 30
--budget 0s
--budget 5x
-o data/small.csv
--discretize magic
--discretize width:0
--discretize frequency:x
--class claas
--class zzzzz
--features f7
--features f1,,f2
--features f1,f1
--ignore f7
--nominal f7
--numeric f7
--numeric f2
--delimiter ab
--threads 100000
--threads x
--seed x
--seed -1
--top x
--nosuch
--resume
--honest=maybe
--honest --no-honest
--folds data/folds.txt
--memory 1KB
--memory lots
--memory 68MB --honest
--report data/small.csv
--report page.txt
-o x.json --report x.json
-o absent/x.json
--report absent/x.html
-o .
--checkpoint absent/run.txt
--checkpoint data/small.csv
--class f1 --features f1
--ignore f1,f2,f3,f4,f5
--nominal f1 --numeric f1
--search exhaustive --set population=5
--method auto --set x=1
--method all --search forward
""".strip().split("\n")

# Whole commands.
COMMANDS = """
nosuch
selct data/small.csv
select
select data/small.csv data/led.csv
select .
select --counts absent
select --counts data/small.csv
select data/small.csv --counts data/small.csv
select data/mixed.csv --method wrapper
select data/small.csv --method wrapper --set cv=1
select data/small.csv --method wrapper --set cv=x
select data/small.csv --method wrapper --folds data/folds-short.txt
select data/small.csv --method wrapper --folds data/folds-words.txt
select data/small.csv --method wrapper --folds absent
select data/led.csv --method wrapper --search exhaustive --set cv=2 --no-honest --model k3
select data/planted.csv --method cfs --search exhaustive
select data/numbers.csv --method separation --set blocks=absent
select data/numbers.csv --method separation --set blocks=data/blocks-bad.json
select data/small.csv --method separation
select data/small.csv --method koller-sahami --set k=3
select data/small.csv --method iamb --set alpha=2
select data/small.csv --method rpdmb --set ess=0
select data/small.csv --method fss-ebna --set population=1
select data/small.csv --method fss-ebna --search forward
describe
describe absent.csv
describe .
describe data/small.csv --levels 2
describe data/small.csv -o ./data/small.csv
describe data/small.csv -o x.csv --pairs x.csv
describe data/small.csv --pairs absent/p.csv
describe data/small.csv --top -1
score data/small.csv --features f9
score data/small.csv --subsets data/sets-bad.txt
score data/small.csv --subsets data/sets-twice.txt
score data/small.csv --subsets absent
score data/small.csv --subsets data/sets.txt --features f1
score data/small.csv --cv 1
score data/small.csv --model cb
score data/small.csv --set ess=0
score data/small.csv --set auxiliary=x
score data/small.csv --folds data/folds-short.txt
score data/small.csv --cv 500
score data/bad/one-class.csv
score data/small.csv --cv 3 --folds data/folds.txt
train data/small.csv
train data/small.csv -o absent/m.json
train data/small.csv -o data/small.csv
train data/small.csv --model svm -o m.json
train data/small.csv --set smoothing=x -o m.json
train data/small.csv --set nosuch=1 -o m.json
train data/small.csv --model nb --set parents=2 -o m.json
train data/small.csv --model k2 --set parents=x -o m.json
train data/small.csv --set alpha=-1 -o m.json
train data/small.csv --format pdf -o m.json
train data/small.csv --model id3 --format bif -o m.bif
train data/small.csv --selection absent -o m.json
train data/small.csv --selection data/bad/other.json -o m.json
train data/small.csv --selection data/bad/broken.json -o m.json
train data/mixed.csv --missing refuse -o m.json
train data/bad/one-class.csv -o m.json
train data/small.csv --model id3 --memory 68MB -o m.json
predict
predict absent data/small.csv
predict data/small.csv data/small.csv
predict data/bad/broken.json data/small.csv
predict data/bad/other.json data/small.csv
predict data/bad/future.json data/small.csv
predict data/bad/plain.txt data/small.csv
compare
compare absent.csv
compare data/small.csv --pipeline mdl-sf/tan
compare data/small.csv --pipeline all/nb --pipeline all/nb
compare data/small.csv --pipeline all/nb --methods all
compare data/small.csv --methods all --models nbb
compare data/small.csv --methods ''
compare data/small.csv --protocol cv:1
compare data/small.csv --protocol holdout:0:2/3
compare data/small.csv --protocol split:600/40x3
compare data/small.csv --protocol nosuch
compare data/small.csv --learning-curve 9..3
compare data/small.csv --learning-curve 10..30
compare data/small.csv --set alhpa=1
compare data/small.csv --set alpha
compare data/small.csv --test t
compare data/small.csv --test 5x2cv-f
compare data/small.csv --alpha 2
compare data/small.csv -o x.csv --runs ./x.csv
compare data/small.csv data/small.csv
compare data/small.csv data/led.csv --folds data/folds.txt
compare data/bad/few.csv
compare data/bad/one-class.csv
compare data/small.csv --pipeline mrmr:99/nb
compare data/small.csv --pipeline mdl-fs:2/nb
compare data/small.csv --pipeline all
compare data/small.csv --keep f9
compare data/small.csv --resume
compare data/small.csv --budget x
count data/small.csv
count absent -o x
count . -o x
count data/small.csv ./data/small.csv -o x
count data/small.csv -o data/small.csv
count data/small.csv --domains absent -o x
count data/small.csv --domains data/small.csv -o x
count data/small.csv --domains data/bad/other.json -o x
count data/small.csv --domains-only --shard x -o x
count data/small.csv --checkpoint-every x -o x
count data/small.csv data/led.csv -o x
count data/small.csv -o absent/x
merge
merge absent -o x
merge data/small.csv -o x
merge . -o x
network
network info absent
network info data/small.csv
network info data/bad/cut.bif
network info data/bad/cycle.bif
network info data/bad/sums.bif
network info data/bad/unknown.xyz
network boundary data/net.bif
network boundary data/net.bif aa
network boundary data/net.bif zzz
network convert data/net.bif -o n.xyz
network convert data/net.bif -o data/net.bif
network convert data/net.bif -o absent/n.net
network sample data/net.bif --rows 0
network sample data/net.bif --json
network sample data/net.bif --seed x
generate
generate led25
generate led24 --rows 0
generate led24 --rows x
generate example1 -o .
generate led24 --repeat 0 -o x.csv
generate led24 --repeat 2
generate led24 --json
generate example1 --rows 33
methods mdpl
methods nosuchthing
methods mdl-fs --json --markdown
completions
completions cmd
reproduce acid2012 --data data/papers
reproduce acid2011
reproduce acid2011 --data absent
reproduce acid2011 --data data/papers --networks alarm,pigs
reproduce acid2011 --data data/papers --networks alram
reproduce acid2011 --data data/papers --networks alarm,
reproduce acid2011 --data data/papers --networks alarm --sizes 300
reproduce acid2011 --data data/papers --networks alarm --methods mrmmr
reproduce acid2011 --data data/papers --networks alarm --samples 0
reproduce acid2011 --data data/papers --networks alarm -o absent/x.json
reproduce acid2011 --data data/papers --networks alarm -o data/papers/alarm.bif
reproduce acid2011 --data data/papers --networks alarm -o x --checkpoint x
reproduce drugan2010 --data data/bad
reproduce drugan2010 --data data/papers --datasets irsi
reproduce drugan2010 --data data/papers --methods x
reproduce drugan2010 --data data/papers --models id3
reproduce drugan2010 --data data/papers --runs 0
reproduce inza2000 --data data/bad --datasets Chess
reproduce inza2000 --data data/papers --population 1
reproduce singh1995 --data data/bad
reproduce singh1995 --data data/papers -o data/papers/votes.csv
reproduce singh1995 --data data/papers --methods x
reproduce pavlenko2004 --trials 0
reproduce pavlenko2004 --figures 3
reproduce pavlenko2004 --blocks 0
reproduce pavlenko2004 --rows 1
reproduce pavlenko2004 --plots data/small.csv
""".strip().split("\n")


def cases() -> list[Case]:
    """All cases that are refused, or nearly."""
    found = [case("error-nothing", "")]
    for file in BAD_FILES:
        path = f"data/bad/{file}"
        steps = [f"describe {path} --json", f"select {path} --method mdl-fs --json"]
        found.append(case(f"error-file-{slug(file)}", *steps))
        steps = [f"describe {path} --memory 68MB --json", f"count {path} -o c.counts --json"]
        found.append(case(f"error-stream-{slug(file)}", *steps))
    for options in SELECT:
        method = "" if "--method" in options else "--method mdl-fs "
        command = f"select data/small.csv {method}{options}"
        found.append(case(f"error-mdl-fs-{slug(options)}", command))
    for command in COMMANDS:
        found.append(case("error-" + slug(command.replace(" .", " here ")), command))
    settled = [("--missing", "drop"), ("--class", "class"), ("--discretize", "mdlp"),
               ("--features", "f1"), ("--ignore", "f1"), ("--nominal", "all"),
               ("--numeric", "all"), ("--na", "x")]  # fmt: skip
    for option, value in settled:
        steps = ["count data/small.csv --domains-only -o d.json"]
        steps.append(f"count data/small.csv --domains d.json {option} {value} -o x")
        found.append(case(f"error-settled-{slug(option)}", *steps))
        count = "count data/small.csv -o c.counts"
        command = f"select --counts c.counts --method cfs {option} {value}"
        found.append(case(f"error-counts-{slug(option)}", count, command))
    return found
