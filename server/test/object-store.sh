#!/bin/bash
# A real S3-compatible object store on loopback, from Debian's packages, nothing installed: Ceph (one monitor, one store
# in memory, one gateway). Multipart, ranges, presigned addresses, conditional writes, lifecycle and versioning are real.
# object-store.sh start FOLDER PORT PLACE   prints S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY; about 250 MB of memory, ten seconds
# object-store.sh stop FOLDER PORT PLACE
# Run `apt-get update` once before. Packages are kept in FOLDER/packages, unpacked in FOLDER/root; what one store writes lies
# in PLACE and goes when it stops.
set -euo pipefail
what=${1:?start or stop}; base=$(realpath -m "${2:?a folder}"); port=${3:?a port}; at=$(realpath -m "${4:?a place}")
stop() { for f in "$at"/run/out/*.pid; do [ -s "$f" ] && kill "$(cat "$f")" 2>/dev/null || true; done; }
[ "$what" = stop ] && { stop; rm -rf "$at"; exit 0; }

packages=$base/packages; root=$base/root; mkdir -p "$packages" "$root"
exec 9>"$base/lock"; flock 9
need="ceph-base ceph-common ceph-mon ceph-osd radosgw librgw2 libradosstriper1 libcephfs2 librados2 librbd1 python3-ceph-argparse python3-ceph-common python3-rados python3-rbd python3-rgw python3-cephfs python3-prettytable python3-yaml"
if [ ! -x "$root/usr/bin/radosgw" ]; then
  # what these need and the machine has not
  more=$(apt-get -s install --no-install-recommends $need 2>/dev/null | sed -n 's/^Inst \([^ ]*\).*/\1/p')
  ( cd "$packages" && chmod a+rwx . && apt-get download -q $more >/dev/null 2>&1 )
  for deb in "$packages"/*.deb; do dpkg-deb -x "$deb" "$root"; done
fi
flock -u 9; exec 9>&-
lib=$root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH=$lib:$root/lib/x86_64-linux-gnu:$lib/ceph:$root/usr/lib/ceph PATH=$root/usr/bin:$root/usr/sbin:$PATH PYTHONPATH=$root/usr/lib/python3/dist-packages
D=$at/run; stop; rm -rf "$D"; mkdir -p "$D"/{mon,osd,rgw,out}; export CEPH_CONF=$at/ceph.conf
fsid=$(cat /proc/sys/kernel/random/uuid)
cat > "$CEPH_CONF" <<C
[global]
fsid = $fsid
mon host = [v2:127.0.0.1:$((port + 10))/0,v1:127.0.0.1:$((port + 11))/0]
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon warn on pool no redundancy = false
mon allow pool size one = true
mon max pg per osd = 2000
ms bind port min = $((port + 20))
ms bind port max = $((port + 80))
public network = 127.0.0.0/8
run dir = $D
log file = $D/out/\$name.log
pid file = $D/out/\$name.pid
admin socket = $D/out/\$name.asok
erasure code dir = $lib/ceph/erasure-code
plugin dir = $lib/ceph
osd class dir = $lib/rados-classes
keyring = $D/keyring
auth allow insecure global id reclaim = true
debug ms = 0
[mon]
mon data = $D/mon
mon cluster log file = $D/out/cluster.log
mon data avail crit = 1
mon data avail warn = 1
[osd]
osd data = $D/osd
keyring = $D/osd/keyring
osd objectstore = memstore
memstore device bytes = 2147483648
osd max object name len = 256
[client]
rgw data = $D/rgw
rgw frontends = beast endpoint=127.0.0.1:$port
rgw crypt require ssl = false
rgw thread pool size = 16
rgw dns name = localhost
C
ceph-authtool --create-keyring "$D/keyring" --gen-key -n mon. --cap mon 'allow *' >/dev/null
ceph-authtool "$D/keyring" --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *' >/dev/null
monmaptool --create --clobber --fsid "$fsid" --addv a "[v2:127.0.0.1:$((port + 10)),v1:127.0.0.1:$((port + 11))]" "$D/monmap" >/dev/null
ceph-mon --mkfs -i a --monmap "$D/monmap" --keyring "$D/keyring" --mon-data "$D/mon"
ceph-mon -i a --mon-data "$D/mon"
osd=$(ceph osd create)
ceph auth get-or-create "osd.$osd" mon 'allow profile osd' osd 'allow *' -o "$D/osd/keyring" >/dev/null 2>&1
ceph-osd -i "$osd" --mkfs --osd-data "$D/osd" --osd-uuid "$(cat /proc/sys/kernel/random/uuid)" >/dev/null 2>&1 || true
ceph osd crush add "osd.$osd" 1.0 root=default >/dev/null 2>&1 || true
ceph-osd -i "$osd" --osd-data "$D/osd" >/dev/null
ceph auth get-or-create client.rgw mon 'allow *' osd 'allow *' -o "$D/rgw/keyring" >/dev/null 2>&1
radosgw -n client.rgw --keyring "$D/rgw/keyring"
for _ in $(seq 1 120); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.5; done
key=store-$(od -An -N6 -tx1 /dev/urandom | tr -d ' '); secret=$(od -An -N20 -tx1 /dev/urandom | tr -d ' \n')
radosgw-admin -n client.rgw --keyring "$D/rgw/keyring" user create --uid store --display-name store --access-key "$key" --secret-key "$secret" >/dev/null 2>&1
echo "S3_ENDPOINT=http://127.0.0.1:$port"; echo "S3_ACCESS_KEY=$key"; echo "S3_SECRET_KEY=$secret"
