"""Opens lines whose answers are never read, with as little room in the kernel as it gives, until its input ends.
Each line of the input is a list of [address, request]; what was opened is said by its number."""
import json
import socket
import sys

port = int(sys.argv[1])
lines = []
for asked in sys.stdin:
    for address, request in json.loads(asked):
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
        line.bind((address, 0))
        line.connect(("127.0.0.1", port))
        line.sendall(request.encode())
        lines.append(line)
    print(len(lines), flush=True)
