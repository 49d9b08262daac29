import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { demandOf, settings } from '../src/kernel/settings.ts'

/**
 * Whatever of the source writes to the disk has a bound. A writer is found by what it calls, and named by its file and the
 * top-level name it stands in; the table says what bounds what it leaves there. See docs/decisions/0417.
 */
const root = resolve(import.meta.dirname, '../..')
const folders = ['domain/src', 'edit/src', 'media/src', 'server/src', 'speech/src']

/** A call that makes a file or writes to one: the storage's, the file system's, and programs that are given a folder. */
const writing =
  /storage\(\)\s*\.(create|append|take|makeFolder|workFolder)\(|\b(writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|copyFile|copyFileSync|cp|cpSync|truncate|link|symlink|mkdtemp|mkdtempSync)\(|\bopen\([^)]*('(w|wx|a|ax|r\+|w\+|a\+)'|O_CREAT)|\b(chunks|kept)\(\)\s*\.(folder|bring|keep)\(|\boutDir(:(?! string)|,)|\bwrites:/

/**
 * `by` stands in the file `in`: the code that bounds it. `beside`: what becomes of it where many machines share the files:
 * - `kept`: by the storage's contract, in the bucket, or written to its rows;
 * - `lost`: work or a copy that may be lost with its machine at any time;
 * - `one machine`: written on one machine alone; a setting that is asked for (or refused) keeps the others from it;
 * - `operator`: a command of the operator's, or an installation's own file;
 * - `not yet`: another host would miss it.
 */
type Bound = { by: string; in: string; why: string; beside: Beside }
type Beside = 'kept' | 'lost' | 'one machine' | 'operator' | 'not yet'

const ofUploads: Bound = {
  by: 'refusedRoom(kind, open, size)',
  in: 'server/src/assets/uploads.ts',
  why: 'unused files of a person, and shares of the free disk (decisions 356 and 398)',
  beside: 'kept',
}
const ofUploadsBytes: Bound = {
  by: "requireRoom('upload', batch.length)",
  in: 'server/src/outside/disk-storage.ts',
  why: 'no more than was declared, and none into the kept room',
  beside: 'one machine',
}
const ofOneFile: Bound = {
  by: "storage().requireRoom('work')",
  in: 'server/src/assets/ingest.ts',
  why: 'made of one file that was let in, and gone with it',
  beside: 'kept',
}
const ofMended: Bound = {
  by: "requireRoom('work', 2 * run.file_size)",
  in: 'server/src/assets/ingest.ts',
  why: 'a copy of one recording that was let in, and gone with it',
  beside: 'kept',
}
const ofMeasured: Bound = {
  by: "const folders = { shake: '001', tone: '002' }",
  in: 'server/src/assets/originals.ts',
  why: 'one of each of one file that was let in, and gone with it',
  beside: 'kept',
}
const ofFitted: Bound = {
  by: "storage().requireRoom('work')",
  in: 'server/src/publishing/post-files.ts',
  why: 'made of one approved file for a network, and gone with it',
  beside: 'kept',
}
const ofFinished: Bound = {
  by: 'mostKept.finishedRenders',
  in: 'server/src/edits/render.ts',
  why: 'finished files of a project that were never sent; those that were sent are steps of people',
  beside: 'kept',
}
const ofCopies: Bound = {
  by: 'await requireLocalRoom(expected.size)',
  in: 'server/src/outside/bucket-storage.ts',
  why: 'copies of what lies in the bucket; what was not used for longest goes first, and all of it after a day',
  beside: 'lost',
}
const ofRenders: Bound = {
  by: '.finally(() => storage().dropWork(folder))',
  in: 'server/src/edits/render.ts',
  why: 'the folder of one run, of the one render at a time',
  beside: 'lost',
}
const ofListening: Bound = {
  by: 'await storage().dropWork(folder)',
  in: 'server/src/edits/first-cut.ts',
  why: 'the folder of one run, of the two first cuts at a time; voices of recordings as long as what was let in',
  beside: 'lost',
}
const ofChunks: Bound = {
  by: 'trimCache(folders, mostBytes)',
  in: 'server/src/edits/jobs.ts',
  why: 'all chunks together; what was not used for longest goes first',
  beside: 'kept',
}
const ofExports: Bound = {
  by: 'if (formerId !== undefined) await dropQuietly(formerId)',
  in: 'server/src/personal-data/exports.ts',
  why: 'one of a person, for some days, and a few asked for in a day; their files are read where they lie',
  beside: 'kept',
}
const ofSandbox: Bound = {
  by: '--fsize=',
  in: 'media/src/sandbox.ts',
  why: 'a program that writes only into the folder it is given, one of the writers of the server',
  beside: 'lost',
}
const ofMedia: Bound = {
  by: 'rm(folder, { recursive: true, force: true })',
  in: 'media/src/render-cache.ts',
  why: 'small beside the video it belongs to, in a folder that goes with its run or its file',
  beside: 'lost',
}
const ofSpeech: Bound = {
  by: 'rm(folder, { recursive: true, force: true })',
  in: 'speech/src/whisper.ts',
  why: 'the folder of one run; recordings as long as what was let in',
  beside: 'lost',
}
const ofOutbox: Bound = {
  by: '.slice(500)',
  in: 'server/src/outside/mail.ts',
  why: 'mails where no mail server is set; each goes to a bounded number of people (decision 402)',
  beside: 'one machine',
}
const ofBackups: Bound = {
  by: 'const free = await bytesFree(to)',
  in: 'server/src/backup/take.ts',
  why: 'an operator’s command that asks for room first; into another folder than people’s files',
  beside: 'operator',
}
const ofChecks: Bound = {
  by: '(await freeIn(first)) >= needed',
  in: 'server/src/backup/folder.ts',
  why: 'an operator’s command that asks for room first, and takes no more of a file than its size then',
  beside: 'operator',
}
const ofRestores: Bound = {
  by: 'const free = await bytesFree(target)',
  in: 'server/src/backup/put-back.ts',
  why: 'an operator’s command that asks for room first',
  beside: 'operator',
}
const ofSamples: Bound = {
  by: 'rm(folder, { recursive: true, force: true })',
  in: 'media/src/make-clip.ts',
  why: 'samples for the demo, a fixed number',
  beside: 'operator',
}
const ofInstallation = (file: string, by: string): Bound => ({
  by,
  in: file,
  why: 'one small file of an installation, written over',
  beside: file.includes('kept-key') ? 'one machine' : 'operator',
})

const ofStandIns: Bound = {
  by: '!config.isHosted &&',
  in: 'server/src/stand-ins/networks/start.ts',
  why: 'on a developer’s own machine alone; what they post there, they delete',
  beside: 'one machine',
}
const writers: Record<string, Bound> = {
  'server/src/stand-ins/networks/program.ts writeAll': ofStandIns,
  'server/src/stand-ins/networks/start.ts startNetworkStandIns': ofStandIns,
  'server/src/assets/uploads.ts UploadStore': ofUploads,
  'server/src/assets/uploads.ts beginOrFindUpload': ofUploads,
  'server/src/assets/ingest.ts mendedFile': ofMended,
  'media/src/mend.ts mend': ofMended,
  'media/src/mend.ts mendRecording': ofMended,
  'server/src/assets/put-file.ts putFile': ofUploads,
  'server/src/assets/put-file.ts putCut': ofFinished,
  'server/src/assets/ingest.ts derive': ofOneFile,
  'server/src/assets/originals.ts written': ofMeasured,
  'server/src/edits/render.ts makeRender': ofRenders,
  'server/src/edits/render.ts work': ofChunks,
  'server/src/edits/ahead.ts work': ofChunks,
  'server/src/edits/ahead.ts measureCleaned': ofChunks,
  'server/src/edits/jobs.ts trimChunks': ofChunks,
  'server/src/edits/first-cut.ts hear': ofListening,
  'server/src/edits/jobs.ts dropOthers': ofRenders,
  'server/src/personal-data/exports.ts makeExport': ofExports,
  'server/src/outside/disk-storage.ts diskStorage': ofUploadsBytes,
  'server/src/outside/disk-storage.ts openForAppend': ofUploadsBytes,
  'server/src/outside/disk-storage.ts syncFile': ofUploadsBytes,
  'server/src/outside/local-copies.ts intoPlace': ofCopies,
  'server/src/outside/mail.ts outbox': ofOutbox,
  'server/src/outside/kept-key.ts keptKey': ofInstallation('server/src/outside/kept-key.ts', 'randomBytes(32)'),
  'server/src/main/seed.ts seedProjects': ofSamples,
  'server/src/main/seed.ts seedClips': ofSamples,
  'server/src/publishing/post-files.ts make': ofFitted,
  'server/src/postgres/binaries.ts makeSymlinks': ofInstallation('server/src/postgres/binaries.ts', 'symlink('),
  'server/src/postgres/cluster.ts ensureSecret': ofInstallation('server/src/postgres/cluster.ts', 'secret'),
  'server/src/postgres/cluster.ts makeCluster': ofInstallation('server/src/postgres/cluster.ts', 'passwordFile'),
  'server/src/postgres/postgres.ts startLocked': ofInstallation('server/src/postgres/postgres.ts', 'process.pid'),
  'server/src/postgres/server.ts launchOnFreePort': ofInstallation('server/src/postgres/server.ts', '${port}'),
  'server/src/backup/check.ts copyDatabase': ofChecks,
  'server/src/backup/checksums.ts copyFile': ofBackups,
  'server/src/backup/checksums.ts writeChecksums': ofBackups,
  'server/src/backup/cluster-copy.ts openClusterCopy': ofBackups,
  'server/src/backup/cluster-copy.ts writeSteady': ofBackups,
  'server/src/backup/folder.ts writeWhole': ofBackups,
  'server/src/backup/folder.ts placeToCheck': ofChecks,
  'server/src/backup/media-copy.ts openMediaCopy': ofBackups,
  'server/src/backup/media-copy.ts linkUnchanged': ofBackups,
  'server/src/backup/take.ts take': ofBackups,
  'server/src/backup/take.ts copyFilesAlone': ofBackups,
  'server/src/backup/take.ts copyAll': ofBackups,
  'server/src/backup/put-back.ts putBack': ofRestores,
  'media/src/band.ts paintBand': ofMedia,
  'media/src/cleaned-by.ts cleanedBy': ofSandbox,
  'media/src/ffmpeg.ts runFfmpeg': ofSandbox,
  'media/src/ingest.ts makePoster': ofSandbox,
  'media/src/ingest.ts makePeaks': ofOneFile,
  'media/src/ingest.ts makeProxy': ofSandbox,
  'media/src/ingest.ts makeFilmstrip': ofSandbox,
  'media/src/ingest.ts made': ofSandbox,
  'media/src/render-cache.ts inFolder': ofMedia,
  'media/src/render.ts makeParts': ofSandbox,
  'media/src/render.ts makeSound': ofSandbox,
  'media/src/render.ts joinUp': ofSandbox,
  'media/src/render.ts makePoster': ofSandbox,
  'media/src/fit.ts makeFit': ofSandbox,
  'media/src/fit.ts makeCover': ofSandbox,
  'media/src/fit.ts made': ofSandbox,
  'media/src/clip-speech.ts speech': ofSamples,
  'media/src/make-clip.ts makeClip': ofSamples,
  'media/src/make-clip.ts draw': ofSamples,
  'media/src/make-picture.ts makePicture': ofSamples,
  // A number that the kernel reads.
  'media/src/sandbox.ts firstToGo': {
    by: 'oom_score_adj',
    in: 'media/src/sandbox.ts',
    why: 'no file of a disk',
    beside: 'lost',
  },
  'speech/src/sphinx.ts recognise': ofSpeech,
  'speech/src/whisper.ts whisperTranscriber': ofSpeech,
}

it('every writer of bytes to the disk has a bound', () => {
  const found = writersFound()
  expect(found.size).toBeGreaterThan(30)
  expect([...found].filter((writer) => !(writer in writers))).toEqual([])
  expect(Object.keys(writers).filter((writer) => !found.has(writer))).toEqual([])
})

it('every bound of a writer stands in the source', () => {
  const missing = Object.entries(writers).filter(
    ([, one]) => !readFileSync(join(root, one.in), 'utf8').includes(one.by),
  )
  expect(missing).toEqual([])
})

it('no writer keeps a file on one of many machines that another one needs', () => {
  expect(Object.entries(writers).filter(([, { beside }]) => beside === 'not yet')).toEqual([])
  // Whoever is `kept` settles, takes or keeps by the contract; only the two storages know where that is.
  const keeping = /storage\(\)\s*\.(settle|take|append|create|area)\(|\bkept\(\)\.keep\(|\bchunks\(\)|putFile|putCut/
  for (const [writer, { beside }] of Object.entries(writers))
    if (beside === 'kept' && writer.startsWith('server/'))
      expect(readFileSync(join(root, writer.split(' ')[0]!), 'utf8'), writer).toMatch(keeping)
  // What lies on one machine alone is kept from the others by a setting that they must have, or must not have.
  const demanded = ['STORAGE', 'MEDIA_SECRET', 'CONNECTION_SECRET', 'SMTP_URL', 'NETWORKS_STAND_IN']
  for (const name of demanded)
    expect(
      demandOf(
        settings.find((one) => one.name === name)!,
        'api',
      ).kind,
      name,
    ).toMatch(/needed|refused/)
})

/** As `file name`, where a call stands that writes. */
const writersFound = (): Set<string> => {
  const found = new Set<string>()
  for (const file of sources()) {
    let name = ''
    const source = readFileSync(join(root, file), 'utf8').replaceAll(/storage\(\)\s+\./g, 'storage().')
    for (const line of source.split('\n')) {
      name = /^(?:export )?(?:async )?(?:const|class|function\*?|type|interface) (\w+)/.exec(line)?.[1] ?? name
      if (!/^\s*(import\b|\/\/|\/?\*)/.test(line) && writing.test(line)) found.add(`${file} ${name}`)
    }
  }
  return found
}

const sources = (): string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')),
  )
