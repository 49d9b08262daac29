import type { Sabotage } from '../sabotage.ts'

const noticed = (test: string) => ['server/src/backup/seal.test.ts', test] as const
const ofCheck = (test: string) => ['server/src/backup/check.test.ts', test] as const

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a backup whose list and seal were both rewritten passes for the one that was made',
    file: 'server/src/backup/checksums.ts',
    from: 'if (seal !== undefined && own !== seal.toLowerCase())',
    to: 'if (false)',
    noticed: noticed('is told by the seal that was kept elsewhere'),
  },
  {
    what: 'a rewritten backup is restored although its seal was given',
    file: 'server/src/backup/put-back.ts',
    from: 'await readBackup(folder, seal)',
    to: 'await readBackup(folder)',
    noticed: noticed('is told by the seal that was kept elsewhere'),
  },
  {
    what: 'what somebody put into a backup comes into the next one by a link',
    file: 'server/src/backup/take.ts',
    from: 'await readChecksums(folder, seal).catch',
    to: 'await readChecksums(folder).catch',
    noticed: noticed('is not shared with the next one'),
  },
  {
    what: 'a backup is restored to whatever moment somebody wrote into it',
    file: 'server/src/backup/folder.ts',
    from: "digest('hex') !== listed)",
    to: "digest('hex') === '')",
    noticed: ['server/src/backup/put-back.test.ts', 'whose backup.json has other bytes'],
  },
  {
    what: 'a backup that somebody put beside those of a DATA_DIR counts as its newest',
    file: 'server/src/backup/folder.ts',
    from: 'madeHere.some(isEarlier)',
    to: 'madeHere.every((other) => other === folder)',
    noticed: noticed('is not taken for its newest'),
  },
  {
    what: 'a folder of backups that is made to look like a backup, or has an older one left, is verified without a seal',
    file: 'server/src/backup/folder.ts',
    from: 'madeHere.some((other) => dirname(other) === given)',
    to: 'madeHere.some((other) => other === given)',
    noticed: noticed('verify takes none that it did not make'),
  },
  {
    what: 'what a killed backup left is removed by paths, which somebody leads elsewhere meanwhile',
    file: 'server/src/backup/remove.ts',
    from: "await promisify(execFile)('rm', ['-rf', '--', path])",
    to: "await promisify(execFile)(process.execPath, ['-e', 'require(`fs`).promises.rm(process.argv[1], { recursive: true, force: true })', path])",
    noticed: noticed('is removed from folder to folder'),
  },
  {
    what: 'a backup is restored through a link in the place of one of its folders',
    file: 'server/src/backup/put-back.ts',
    from: 'if ((await lstat(join(folder, path)).catch(() => undefined))?.isSymbolicLink())',
    to: "if ((await lstat(join(folder, path)).catch(() => undefined))?.isSymbolicLink() && path === '')",
    noticed: ['server/src/backup/put-back.test.ts', 'in the place of the folder'],
  },
  {
    what: 'a link in a backup counts as the file that it leads to',
    file: 'server/src/backup/checksums.ts',
    from: 'O_RDONLY | O_NOFOLLOW | O_NONBLOCK',
    to: 'O_RDONLY | (O_NOFOLLOW & 0) | O_NONBLOCK',
    noticed: ['server/src/backup/put-back.test.ts', 'in the place of a file is named'],
  },
  {
    what: 'files of a database are copied without a comparison with the list',
    file: 'server/src/backup/check.ts',
    from: 'return (await copyFile(source, to, { most })).sha256',
    to: 'return (await copyFile(source, to, { most })) && sums.get(path)!',
    noticed: ofCheck('is named, and PostgreSQL does not start on it'),
  },
  {
    what: 'PostgreSQL starts on files that somebody changed while they were copied',
    file: 'server/src/backup/check.ts',
    from: 'if ([...faults, ...ofCopy].some((fault) => fault.startsWith(ofDatabase))) return ofCopy',
    to: 'if ([...faults].some((fault) => fault.startsWith(ofDatabase))) return ofCopy',
    noticed: ofCheck('is named, and PostgreSQL does not start on it'),
  },
  {
    what: 'PostgreSQL starts where whoever writes among the backups comes',
    file: 'server/src/backup/folder.ts',
    from: '(await freeIn(first)) >= needed) return placeIn(first)',
    to: '(await freeIn(first)) >= needed) return placeIn(second)',
    noticed: ofCheck('closed to others, and is gone afterwards'),
  },
  {
    what: 'the lock of backups lies where others may lead it elsewhere',
    file: 'server/src/backup/folder.ts',
    from: 'lockFile(join(dataDir, ofBackups.lock))',
    to: 'lockFile(join(folder, ofBackups.lock))',
    noticed: ['server/src/backup/seal.test.ts', 'a backup makes no file where a link among the backups leads'],
  },
  {
    what: 'a backup clears what another DATA_DIR has just begun',
    file: 'server/src/backup/folder.ts',
    from: '(begun.includes(join(folder, name)) || !isYoung(name, now))',
    to: 'true',
    noticed: ['server/src/backup/seal.test.ts', 'a half-made backup is cleared by the next of its DATA_DIR'],
  },
]
