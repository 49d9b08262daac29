import type { Sabotage } from '../sabotage.ts'

const uploads = (test: string) => ['server/src/assets/uploads.test.ts', test] as const
const exportWalls = (test: string) => ['server/test/export-walls.test.ts', test] as const

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a reading call opens a file beside a statement of its transaction',
    file: 'server/src/assets/calls.ts',
    from: 'const row = await findAsset(tx, params.assetId)',
    to: `const looking = process.getBuiltinModule('node:fs').promises.stat('.')
    const row = await findAsset(tx, params.assetId)
    await looking`,
    noticed: ['server/test/reading-calls.test.ts', 'waits for anything but its statements'],
  },
  {
    what: 'a take that is begun again asks for a second connection while it holds one',
    file: 'server/src/assets/uploads.ts',
    from: "    if (before) return { id: before.id, isNew: false, lacksFile: before.state === 'uploading' }",
    to: `    if (before) {
      if (before.state === 'uploading') await storage().create(before.id)
      return { id: before.id, isNew: false, lacksFile: false }
    }`,
    noticed: ['server/test/upload-parts.test.ts', 'asks for no second connection'],
  },
  {
    what: 'somebody else’s file is kept as one’s photo',
    file: 'server/src/assets/pictures.ts',
    from: 'and (author_id in (${by}, ${owner})',
    to: 'and (${by}::uuid is not null',
    noticed: ['server/src/accounts/profile.test.ts', 'a profile stores photo and logo'],
  },
  {
    what: 'the size of a mended file is told as what came of an upload',
    file: 'server/src/assets/ingest.ts',
    from: 'sha256 = ${sha256}, file_size = ${bytes}, type',
    to: 'sha256 = ${sha256}, file_size = ${bytes}, received_bytes = ${bytes}, type',
    noticed: ['server/src/assets/ingest.test.ts', 'a sender hears how many bytes came'],
  },
  {
    what: 'an ended upload is told as long as the file that was made of it',
    file: 'server/src/assets/uploads.ts',
    from: 'const size = uploading ? row.file_size : row.received_bytes',
    to: 'const size = row.file_size',
    noticed: ['server/src/assets/ingest.test.ts', 'a sender hears how many bytes came'],
  },
  {
    what: 'an upload is taken that fits only without the rest of the others',
    file: 'server/src/assets/uploads.ts',
    from: `sum(a.file_size - a.received_bytes)::bigint`,
    to: `0::bigint`,
    noticed: uploads('uploads are refused that would not fit'),
  },
  {
    what: 'two uploads are given the same room of the disk',
    file: 'server/src/assets/uploads.ts',
    from: `  await tx.rows(sql\`select pg_advisory_xact_lock(hashtextextended('disk-room', 0))\`)
`,
    to: '',
    noticed: uploads('uploads are refused that would not fit'),
  },
  {
    what: 'a person has several files checked at once',
    file: 'server/src/assets/jobs.ts',
    from: `  oneEach: true,
`,
    to: '',
    noticed: ['server/src/assets/ingest-queue.test.ts', 'a person’s files are checked one at a time'],
  },
  {
    what: 'long files hold both lanes',
    file: 'server/src/assets/jobs.ts',
    from: `  quickFrom: longPriority + 1,
`,
    to: '',
    noticed: ['server/src/assets/ingest-queue.test.ts', 'long files hold one of the two lanes'],
  },
  {
    what: 'a long file stays in the lane for short ones',
    file: 'server/src/assets/ingest.ts',
    from: 'if (!run.mayBeLong && isLongWork(checked.probe))',
    to: 'if (isLongWork(checked.probe) && false)',
    noticed: ['server/src/assets/ingest.test.ts', 'a long film is checked'],
  },
  {
    what: 'a file of any length is worked on',
    file: 'server/src/assets/ingest.ts',
    from: 'const reason = found.ok ? await tooMuchWork(run, found) : found.reason',
    to: 'const reason = found.ok ? null : found.reason',
    noticed: ['server/src/assets/ingest.test.ts', 'a film that is more work'],
  },
  {
    what: 'whoever left for another company still reads the cuts they made',
    file: 'server/src/assets/store.ts',
    from: `(/* wall */ (author_id = (select actor_id()) and purpose = 'source')`,
    to: '(/* wall */ author_id = (select actor_id())',
    noticed: ['server/test/walls.test.ts', 'every object of the company'],
  },
  {
    what: 'whoever left a company finds its files in their own data',
    file: 'server/src/assets/store.ts',
    from: 'and ${file}.tenant_id is not distinct from (select tenant_id from person where id = ${personId})',
    to: '',
    noticed: exportWalls('find nothing of the old one'),
  },
  {
    what: 'refused files of one person are kept without a bound',
    file: 'server/src/assets/uploads.ts',
    from: 'for (const surplus of await surplusRefused(tx, caller.id)) await',
    to: 'for (const surplus of [] as { id: string }[]) await',
    noticed: ['server/src/assets/uploads.test.ts', 'newest twenty of its sender'],
  },
  {
    what: 'files of canceled videos fill no room',
    file: 'server/src/assets/store.ts',
    from: 'canceled: canceled!.bytes }',
    to: 'canceled: 0 }',
    noticed: ['server/test/kept-bytes.test.ts', 'has an end of its files'],
  },
  {
    what: 'an ADMIN who sends in and cancels for officers fills no room',
    file: 'server/src/assets/uploads.ts',
    from: "const sendsForOthers = hasDuty(caller.role, 'administer')",
    to: 'const sendsForOthers = false',
    noticed: ['server/test/kept-bytes.test.ts', 'fills the ADMIN’s room, too'],
  },
  {
    what: 'files in pictures and notes fill no room',
    file: 'server/src/assets/store.ts',
    from: 'filter (where not is_unused), 0)::bigint as shown',
    to: 'filter (where false), 0)::bigint as shown',
    noticed: ['server/test/kept-bytes.test.ts', 'bytes of a person count in their room'],
  },
  {
    what: 'cuts of any size are uploaded for a video',
    file: 'server/src/assets/uploads.ts',
    from: '(await cutBytes(tx, project.id)) + size > mostKept.cutBytes',
    to: '(await cutBytes(tx, project.id)) > Infinity',
    noticed: ['server/test/kept-bytes.test.ts', 'have 60 GB together'],
  },
  {
    what: 'cuts of any size are sent of a video',
    file: 'server/src/assets/actions.ts',
    from: 'if ((await cutBytes(tx, projectId, assetId)) > mostKept.cutBytes)',
    to: 'if ((await cutBytes(tx, projectId, assetId)) > Infinity)',
    noticed: ['server/test/kept-bytes.test.ts', 'have 60 GB together'],
  },
  {
    what: 'a video is kept as a picture',
    file: 'server/src/assets/pictures.ts',
    from: "(file.type !== 'picture' || file.file_size > mostKept.pictureBytes)",
    to: 'file.file_size > mostKept.pictureBytes',
    noticed: ['server/test/kept-bytes.test.ts', 'is a picture of at most 20 MB'],
  },
  {
    what: 'a picture of any size is kept',
    file: 'server/src/assets/pictures.ts',
    from: "(file.type !== 'picture' || file.file_size > mostKept.pictureBytes)",
    to: "file.type !== 'picture'",
    noticed: ['server/test/kept-bytes.test.ts', 'is a picture of at most 20 MB'],
  },
  {
    what: 'a take with bytes is given up as an upload is',
    file: 'server/src/assets/jobs.ts',
    from: "(state = 'uploading' and not is_open and received_bytes > 0",
    to: "(state = 'uploading'",
    noticed: ['server/src/assets/takes.test.ts', 'outlast three days'],
  },
  {
    what: 'uploads grow old while the service stands still',
    file: 'server/src/assets/jobs.ts',
    from: '(isLong ? 1 : 5)',
    to: '1',
    noticed: ['server/src/assets/takes.test.ts', 'is kept while the service stands still'],
  },
  {
    what: 'parts of a take whose length nobody knows are taken',
    file: 'server/src/assets/parts.ts',
    from: 'if (own.is_open)',
    to: 'if (own.is_open && assetId === body.writer)',
    noticed: ['server/test/upload-parts.test.ts', 'is sent by tus alone'],
  },
  {
    what: 'an address that a key was given opens once the key is revoked, while its owner may sign in',
    file: 'server/src/assets/addresses.ts',
    from: 'key?.id ?? id',
    to: 'id',
    noticed: ['server/src/http/media.test.ts', 'opens while this very key is good'],
  },
  {
    what: 'whoever begins an upload keeps all others waiting while the disk is asked',
    file: 'server/src/assets/uploads.ts',
    from: "hashtextextended('disk-room', 0))`)",
    to: "hashtextextended('disk-room', 0))`)\n  await storage().uploadRoom()",
    noticed: ['server/src/assets/uploads.test.ts', 'is stored whole'],
  },
  {
    what: 'the disk is asked beside a statement of a transaction',
    file: 'server/src/assets/uploads.ts',
    from: 'const open = await asService(tx, () => openUploads(tx, caller.id, { sendsForOthers }))',
    to: 'const [open] = await Promise.all([asService(tx, () => openUploads(tx, caller.id, { sendsForOthers })), storage().uploadRoom()])',
    noticed: ['server/src/assets/uploads.test.ts', 'is stored whole'],
  },
]
