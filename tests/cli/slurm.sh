#!/bin/sh
# slurm.sh JUDDER -- the job array of docs/guide/clusters.md on a Slurm cluster of one node on loopback, made and ended here: an array of shards, one of which is
# requeued while it runs, and a job that merges after them, give the digits of one run. Only where slurm-wlm and munge are installed, and for root.
judder=$1
[ -x "$judder" ] || { echo "usage: slurm.sh JUDDER"; exit 1; }
for program in munged slurmctld slurmd sbatch; do
    command -v $program > /dev/null || { echo "$program is not there: nothing tried"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "daemons of Slurm are started by root only: nothing tried"; exit 77; }
# shellcheck source=tests/cli/spread.sh
. "$(cd "$(dirname "$0")" && pwd)/spread.sh"

# A cluster of its own: keys, sockets, ports and folders are not those of an installed one.
host=$(hostname -s) port=$((20000 + $(random) % 20000))
chmod 755 "$dir"; mkdir state spool
dd if=/dev/urandom of=munge.key bs=1024 count=1 2> /dev/null; chmod 600 munge.key
cat > slurm.conf << EOF2
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobRequeue=1
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=500 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOF2
export SLURM_CONF="$dir/slurm.conf"
finish() {
    for one in slurmd slurmctld munged; do [ -s $one.pid ] && kill "$(cat $one.pid)" 2> /dev/null; done
    sleep 1; rm -rf "$dir"
}
trap finish EXIT
munged --force --socket="$dir/munge.socket" --key-file="$dir/munge.key" --pid-file="$dir/munged.pid" --log-file="$dir/munged.log" --seed-file="$dir/munge.seed" &&
    slurmctld 2> err && slurmd 2> err || { echo "Slurm does not start here: $(cat err): nothing tried"; exit 77; }
i=0; while [ $i -lt 60 ] && ! sinfo -h -o %T 2> /dev/null | grep -q idle; do sleep 0.5; i=$((i + 1)); done
sinfo -h -o %T | grep -q idle || { echo "the node of Slurm does not come up: nothing tried"; exit 77; }

model map.yaml 'points: [40, 30]'
"$judder" sweep map.yaml --json -q > whole.json
# The script of the guide, with the command where it was built.
cat > shard.sh << EOF2
#!/bin/sh
#SBATCH --array=1-6
#SBATCH --cpus-per-task=1
#SBATCH --requeue
srun $judder sweep map.yaml --shard \$SLURM_ARRAY_TASK_ID/6 --threads \$SLURM_CPUS_PER_TASK -o part\$SLURM_ARRAY_TASK_ID.h5 -q
EOF2
job=$(sbatch --parsable shard.sh) || fail "sbatch"
merge=$(sbatch --parsable --dependency=afterok:"$job" --wrap "$judder merge part*.h5 -o map.h5 -q")
# A job that is preempted: ended and put back into the queue, where it waits some time before it may begin again.
i=0; while [ $i -lt 400 ] && [ "$(size part1.h5.journal)" -lt 500 ]; do sleep 0.02; i=$((i + 1)); done
scontrol requeue "${job}_1" 2> err && echo "requeued after $(size part1.h5.journal) bytes of its journal"
i=0; while [ $i -lt 200 ] && ! squeue -h -j "${job}_1" -o %r 2> /dev/null | grep -q BeginTime; do sleep 0.05; i=$((i + 1)); done
scontrol update jobid="${job}_1" starttime=now 2> /dev/null
i=0; while [ $i -lt 360 ] && squeue -h -j "$merge" 2> /dev/null | grep -q .; do sleep 0.5; i=$((i + 1)); done
if [ -e map.h5 ]; then
    "$judder" sweep map.yaml -o whole.h5 -q
    "$judder" compare map.h5 whole.h5 > out || fail "by Slurm: $(cat out)"
    "$judder" merge part*.h5 --json > merged.json
    same "by Slurm" whole.json merged.json
else
    fail "the array of shards was not merged: $(squeue; tail -n 5 slurm-*.out slurmctld.log)"
fi
[ $failed = 0 ] && echo "a job array of Slurm gives the digits of one run"
exit $failed
