#!/bin/sh
# The pages of the guide are true: guide.sh JUDDER SOURCE_DIR
#   every command they show works as it stands, in the order of the page, and warns of nothing;
#   the model they show is the template, and a mistake is answered in the words they print.
set -u
judder=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
mkdir bin && ln -s "$judder" bin/judder && PATH=$folder/bin:$PATH
ln -s "$source/gallery" gallery
failed=0
fail() { echo "$1"; failed=1; }

page=$source/docs/guide/first-model.md
sed -n '/^```yaml/,/^```/p' "$page" | grep -v '^```' > shown.yaml
judder new friction-beam > template.yaml
cmp -s shown.yaml template.yaml || fail "$page: the model is not that of \`judder new friction-beam\`"

cp template.yaml model.yaml # what other pages call their model and its result
judder run model.yaml -o result.h5 --quiet
# The model of a page, under the name that the page gives it.
sed -n '/^```yaml/,/^```/p' "$source/docs/guide/from-nlvib.md" | grep -v '^```' > two-masses.yaml
for name in first-model engines pictures kernels clusters from-nlvib from-auto-coco from-siconos from-fe; do
    page=$source/docs/guide/$name.md
    grep '^    judder ' "$page" | sed 's/^    //; s/ *#.*//' > commands
    [ -s commands ] || fail "$page: no command found"
    while read -r line; do
        sh -c "$line" > out 2> err < /dev/null || fail "$page: \`$line\` fails: $(cat err)"
        # the matrices of the blade have so few digits; the page says it
        grep -v 'omega of mode 1 is good to\|1 mode is computed to fewer' err > warned
        [ ! -s warned ] || fail "$page: \`$line\` warns: $(cat warned)"
    done < commands
done

# The special points that a page prints are those of its model.
judder follow two-masses.yaml > out 2> err
sed -n '/^```text/,/^```/p' "$source/docs/guide/from-nlvib.md" | grep -v '^```' > shown
[ -s shown ] || fail "from-nlvib.md: no special points shown"
while read -r line; do
    sed 's/^ *//' out | grep -qxF -e "$line" || fail "from-nlvib.md: not printed: $line"
done < shown

page=$source/docs/guide/first-model.md
mistake=$(sed -n 's/^    \$ //p' "$page")
sh -c "$mistake" > out 2> err
[ $? -eq 2 ] || fail "\`$mistake\` should end with 2"
sed -n '/^    \$ /,/^$/p' "$page" | sed '1d; s/^    //; /^$/d' > shown
cmp -s shown err || fail "$page: \`$mistake\` says $(cat err)"
exit $failed
