# A line from this machine into a network of its own (a namespace), with delay, jitter and loss: two TUN devices and a clock,
# since few kernels of containers have netem. far-network.py NAMESPACE HERE THERE; each line of its input sets how the line is:
# MS JITTER LOSS, or "parted" or "parted PORT", for what goes to and from this port alone. A packet of a parted line is gone, and
# nobody is told.
import ctypes, fcntl, heapq, os, random, select, struct, subprocess, sys, time

namespace, here, there = sys.argv[1:4]
TUNSETIFF, IFF_TUN, IFF_NO_PI, CLONE_NEWNET = 0x400454CA, 0x0001, 0x1000, 0x40000000
name = namespace[-15:]


def device(address):
    made = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(made, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    subprocess.check_call(["ip", "addr", "add", f"{address}/30", "dev", name])
    subprocess.check_call(["ip", "link", "set", name, "up", "txqueuelen", "5000"])
    return made


ends = [device(here)]
inside = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
libc = ctypes.CDLL(None, use_errno=True)
if libc.setns(inside, CLONE_NEWNET):
    raise OSError(ctypes.get_errno(), "setns")
subprocess.check_call(["ip", "link", "set", "lo", "up"])
ends.append(device(there))
print("up", flush=True)



def isCut(packet):
    if parted is None or parted == "":
        return parted is not None
    if packet[0] >> 4 != 4 or packet[9] != 6:
        return False
    start = (packet[0] & 15) * 4
    return int(parted) in struct.unpack("!HH", packet[start : start + 4])


# None: joined; "": from everything; else from this port.
delay, jitter, loss, parted = 0.0, 0.0, 0.0, None
waiting, count = [], 0
while True:
    while waiting and waiting[0][0] <= time.monotonic():
        _, _, end, packet = heapq.heappop(waiting)
        try:
            os.write(end, packet)
        except BlockingIOError:
            pass
    rest = max(0, waiting[0][0] - time.monotonic()) if waiting else 1
    for source in select.select([*ends, sys.stdin], [], [], rest)[0]:
        if source is sys.stdin:
            said = sys.stdin.readline().split()
            if not said:
                sys.exit()
            if said[0] == "parted":
                parted = said[1] if len(said) > 1 else ""
                waiting = [one for one in waiting if not isCut(one[3])]
                heapq.heapify(waiting)
            else:
                parted = None
                delay, jitter, loss = (float(one) for one in said)
            continue
        other = ends[1] if source == ends[0] else ends[0]
        for _ in range(64):
            try:
                packet = os.read(source, 65536)
            except BlockingIOError:
                break
            if isCut(packet) or random.random() < loss:
                continue
            count += 1
            due = time.monotonic() + (delay + random.random() * jitter) / 1000
            heapq.heappush(waiting, (due, count, other, packet))
