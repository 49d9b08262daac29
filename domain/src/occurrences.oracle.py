"""Reads timetables as lines of JSON and answers their first four due moments by python-dateutil; null: other clocks."""
import json
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr
from dateutil.tz import resolve_imaginary


def instant(local, zone):
    at = resolve_imaginary(local.replace(tzinfo=zone, fold=0))
    return round(at.astimezone(timezone.utc).timestamp() * 1000)


def answer(case):
    try:
        zone = ZoneInfo(case["timeZone"])
    except Exception:
        return None
    for at, offset in case["offsets"]:
        if datetime.fromtimestamp(at / 1000, zone).utcoffset() != timedelta(seconds=offset):
            return None
    start = datetime.fromisoformat(case["firstDay"] + "T" + case["timeOfDay"])
    found = []
    for local in rrulestr(case["rrule"], dtstart=start):
        at = instant(local, zone)
        if case["until"] is not None and at > case["until"]:
            break
        if at > case["after"]:
            found.append(at)
        if len(found) == 4:
            break
    return found


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))))
