import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'an answer may be kept where its address is spelt otherwise',
    file: 'server/src/main/app.ts',
    from: `[routeOptions.url ?? '', url].some(`,
    to: `[url].some(`,
    noticed: ['server/test/addresses.test.ts', 'no spelling of a call’s address'],
  },
  {
    what: 'a body is read for an address that is nowhere',
    file: 'server/src/main/app.ts',
    from: 'if (request.is404 && ',
    to: 'if (false && ',
    noticed: ['server/src/http/json-body.test.ts', 'body is read for an address that is nowhere'],
  },
  {
    what: 'a loop without an end stands the service for ever',
    file: 'server/src/main/watchdog-thread.ts',
    from: 'still = now === seen ? still + 1 : 0',
    to: 'still = 0 * now',
    noticed: ['server/src/main/watchdog.test.ts', 'ends itself'],
  },
  {
    what: 'a restored copy holds its posts back and tells nobody',
    file: 'server/src/main/old-deliveries.ts',
    from: "    const jobs = await cancelJobs(tx, ['project-event', 'notice'])\n    await cancelJobs(tx, ['mail', 'push', 'webhook'])\n    // After the old notices are gone: it enqueues those that tell of it.\n    const posts = await holdOldPosts(tx, now)\n",
    to: "    const posts = await holdOldPosts(tx, now)\n    const jobs = await cancelJobs(tx, ['project-event', 'notice'])\n    await cancelJobs(tx, ['mail', 'push', 'webhook'])\n",
    noticed: ['server/src/publishing/calls.test.ts', 'a restored copy posts nothing by itself'],
  },
  {
    what: 'a restored copy gives calendars by links from before',
    file: 'server/src/main/old-deliveries.ts',
    from: 'await tx.count(sql`delete from calendar_link`)',
    to: '',
    noticed: ['server/src/calendar/calendar.test.ts', 'a restored copy gives no calendar'],
  },
  {
    what: 'a packed body is taken for what it is not',
    file: 'server/src/main/app.ts',
    from: '    requireUnpacked(request)\n',
    to: '',
    noticed: ['server/test/cut-lines.test.ts', 'a packed body is refused'],
  },
  {
    what: 'what a mail server answered drives the terminal of who reads why a job was given up',
    file: 'server/src/main/terminal.ts',
    from: 'console.log(forTerminal(text))',
    to: 'console.log(text)',
    noticed: ['server/src/main/admin.test.ts', 'whose signs drive no terminal'],
  },
  {
    what: 'a name that somebody gave a file among the backups drives the terminal of who verifies them',
    file: 'server/src/main/terminal.ts',
    from: 'console.error(forTerminal(text))',
    to: 'console.error(text)',
    noticed: ['server/src/main/conditions.test.ts', 'others’ words and names so that they drive no terminal'],
  },
  {
    what: 'what a server answered drives the terminal of who asks doctor',
    file: 'server/src/main/doctor.ts',
    from: 'print(said)',
    to: 'console.log(said)',
    noticed: ['server/test/rules.test.ts', 'a command writes to the terminal'],
  },
  {
    what: 'what a stranger has written into the log drives the terminal of who started the service',
    file: 'server/src/main/terminal.ts',
    from: 'to.write(forTerminal(line))',
    to: 'to.write(line)',
    noticed: ['server/test/addresses.test.ts', 'a stranger’s words in the log'],
  },
]
