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
for name in first-model engines pictures kernels; do
    page=$source/docs/guide/$name.md
    grep '^    judder ' "$page" | sed 's/^    //; s/ *#.*//' > commands
    [ -s commands ] || fail "$page: no command found"
    while read -r line; do
        sh -c "$line" > out 2> err < /dev/null || fail "$page: \`$line\` fails: $(cat err)"
        [ ! -s err ] || fail "$page: \`$line\` warns: $(cat err)"
    done < commands
done

page=$source/docs/guide/first-model.md
mistake=$(sed -n 's/^    \$ //p' "$page")
sh -c "$mistake" > out 2> err
[ $? -eq 2 ] || fail "\`$mistake\` should end with 2"
sed -n '/^    \$ /,/^$/p' "$page" | sed '1d; s/^    //; /^$/d' > shown
cmp -s shown err || fail "$page: \`$mistake\` says $(cat err)"
exit $failed
