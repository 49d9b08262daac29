import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { kennedy } from '../test/samples.ts'
import { json, transcriptionServer } from '../test/server.ts'
import { againstScript, unsaidInAll, withGlossary } from './correct.ts'
import { glossaryOf } from './glossary.ts'
import { openAiTranscriber } from './openai.ts'
import { sphinx } from './sphinx.ts'
import { transcriberFrom, transcribeSamples } from './transcribe.ts'
import { readWhisper, whisperTranscriber } from './whisper.ts'

const second = kennedy.samples.subarray(0, 16_000)
/** An answer with `verbose_json` and word times, as in OpenAI's reference. */
const verbose = {
  task: 'transcribe',
  language: 'english',
  duration: 1,
  text: 'And so, my',
  segments: [
    { id: 0, seek: 0, start: 0, end: 1.2, text: ' And so, my', tokens: [50364], temperature: 0, avg_logprob: -0.2 },
  ],
  words: [
    { word: 'And', start: 0.33, end: 0.55 },
    { word: 'so,', start: 0.56, end: 0.96 },
    { word: 'my', start: 0.96, end: 1 },
  ],
}

afterEach(() => {
  vi.unstubAllEnvs()
})

it.skipIf(!(await sphinx()))(
  'when the recogniser fails, the script is spread over the sound and a note says so',
  async () => {
    vi.stubEnv('POCKETSPHINX_PATH', '/bin/false')
    const told = await transcribeSamples(kennedy.samples, { script: kennedy.script, source: 's1' })
    expect(told).toMatchObject({ means: 'shared-out', notes: [expect.stringContaining('could not read this script')] })
    expect(told.words.map(({ text }) => text)).toEqual(kennedy.script.split(' '))
  },
)

it.skipIf(!(await sphinx()))(
  'a recogniser that takes too long counts as failed, and the script is spread over the sound',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slow-recogniser-'))
    try {
      const program = join(folder, 'pocketsphinx_batch')
      writeFileSync(program, '#!/bin/sh\nexec sleep 600\n')
      chmodSync(program, 0o755)
      vi.stubEnv('POCKETSPHINX_PATH', program)
      const told = await transcribeSamples(second, { script: 'And so, my', source: 's1', withinMs: 500 })
      expect(told).toMatchObject({ means: 'shared-out', notes: [expect.stringContaining('took too long')] })
      expect(told.words.map(({ text }) => text)).toEqual(['And', 'so,', 'my'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

it('a transcriber that takes too long gave no words, and an abort is thrown', async () => {
  vi.stubEnv('POCKETSPHINX_PATH', '/nowhere/pocketsphinx')
  await using silent = await transcriptionServer(() => {})
  const transcriber = openAiTranscriber({ url: silent.url, model: 'm' })
  const late = await transcribeSamples(second, { script: 'And so', source: 's1', transcriber, withinMs: 300 })
  expect(late.notes[0]).toContain('gave no words')
  const off = AbortSignal.abort(new Error('called off'))
  const request = { script: 'And so', source: 's1', transcriber, withinMs: 300, signal: off }
  await expect(transcribeSamples(second, request)).rejects.toThrow('called off')
})

it.skipIf(!(await sphinx()))(
  'the voice lies in the folder that is given, and nowhere else, while it is listened to',
  async () => {
    const request = { script: 'And so', source: 's1', folder: '/nowhere' }
    await expect(transcribeSamples(kennedy.samples, request)).rejects.toThrow(/ENOENT.*.nowhere.speech-/)
  },
)

it.skipIf(!(await sphinx()))(
  'words that are not recognised get estimated times only when the caller is sure that they were said',
  async () => {
    const script = 'This is a wholly different text about mortgages and nobody said any of it in the video at all.'
    expect(await transcribeSamples(kennedy.samples, { script, source: 's1' })).toMatchObject({ words: [] })
    const sure = await transcribeSamples(kennedy.samples, { script, source: 's1', isSure: true })
    expect(sure).toMatchObject({ means: 'shared-out', notes: [expect.stringContaining('not recognised in the sound')] })
    expect(sure.words).toHaveLength(19)

    // A name does not fill eleven seconds: it is passed to the transcriber as a spelling.
    const names = { script: 'O’Fellow', source: 's1', isSure: true }
    expect(await transcribeSamples(kennedy.samples, names)).toMatchObject({ words: [] })
    await using server = await transcriptionServer((_, response) => json(response, 200, verbose))
    const transcriber = openAiTranscriber({ url: server.url, model: 'm' })
    expect((await transcribeSamples(kennedy.samples, { ...names, transcriber })).words).toHaveLength(3)
    expect(server.asked[0]!.form.get('prompt')).toContain('O’Fellow, ')
  },
)

it('the transcription endpoint is called as its reference says, and word times are read', async () => {
  await using server = await transcriptionServer((_, response) => json(response, 200, verbose))
  const heard = await openAiTranscriber({ url: server.url, key: 'secret', model: 'whisper-1' }).hear({
    samples: second,
    prompt: 'NMLS',
  })
  expect(heard[1]).toEqual({ text: 'so,', start: 560, end: 960, confidence: Math.exp(-0.2) })
  const [{ headers, path, form }] = server.asked as [(typeof server.asked)[number]]
  expect(path).toBe('/v1/audio/transcriptions')
  expect(headers.authorization).toBe('Bearer secret')
  expect(form.get('model')).toBe('whisper-1')
  expect(form.get('response_format')).toBe('verbose_json')
  expect(form.getAll('timestamp_granularities[]')).toEqual(['word', 'segment'])
  expect(form.get('prompt')).toBe('NMLS')
  const file = Buffer.from(await (form.get('file') as File).arrayBuffer())
  expect(file.toString('latin1', 0, 4)).toBe('RIFF')
  expect(file.length).toBe(44 + 32_000)
  expect(file.readInt16LE(44 + 2 * 9000)).toBe(second[9000])
})

it('answers without word times, with words inside segments, and without speech are read', async () => {
  const answers = [
    { segments: verbose.segments },
    { segments: [{ ...verbose.segments[0], words: [{ word: ' And', start: 0.3, end: 0.5, probability: 0.9 }] }] },
    { text: '', segments: [] },
  ]
  await using server = await transcriptionServer((_, response, count) => json(response, 200, answers[count - 1]))
  const ask = () => openAiTranscriber({ url: server.url, model: 'm' }).hear({ samples: second })
  expect((await ask()).map(({ text, start, end }) => [text, start, end])).toEqual([
    ['And', 0, 436],
    ['so,', 436, 873],
    ['my', 873, 1200],
  ])
  expect(await ask()).toEqual([{ text: 'And', start: 300, end: 500, confidence: 0.9 }])
  expect(await ask()).toEqual([])
})

it('a busy server is asked again after its Retry-After, and a refusal is final', async () => {
  const times: number[] = []
  await using busy = await transcriptionServer((_, response, count) => {
    times.push(performance.now())
    if (count === 1) return json(response, 429, { error: { message: 'slow down' } }, { 'retry-after': '1' })
    if (count === 2)
      return json(response, 503, { error: { message: 'loading' } }, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' })
    json(response, 200, verbose)
  })
  expect(await openAiTranscriber({ url: busy.url, model: 'm' }).hear({ samples: second })).toHaveLength(3)
  expect(times[1]! - times[0]!).toBeGreaterThan(950)

  for (const [status, body, reason] of [
    [401, { error: { message: 'bad key' } }, 'refused'],
    [429, { error: { message: 'no money', code: 'insufficient_quota' } }, 'refused'],
    [200, 'not a transcript', 'nonsense'],
  ] as const) {
    await using server = await transcriptionServer((_, response) => json(response, status, body))
    await expect(openAiTranscriber({ url: server.url, model: 'm' }).hear({ samples: second })).rejects.toMatchObject({
      reason,
    })
    expect(server.asked).toHaveLength(1)
  }
})

it('a request times out, follows no redirect, and can be aborted', async () => {
  await using silent = await transcriptionServer(() => {})
  const impatient = openAiTranscriber({ url: silent.url, model: 'm', timeoutMs: 1000, retries: 1, longestWaitMs: 1 })
  await expect(impatient.hear({ samples: second })).rejects.toMatchObject({ reason: 'unreachable' })
  expect(silent.asked).toHaveLength(2)
  const off = new AbortController()
  const waiting = openAiTranscriber({ url: silent.url, model: 'm' }).hear({ samples: second, signal: off.signal })
  off.abort(new Error('called off'))
  await expect(waiting).rejects.toThrow('called off')

  await using sly = await transcriptionServer((_, response) => response.writeHead(307, { location: silent.url }).end())
  const sent = openAiTranscriber({ url: sly.url, key: 'secret', model: 'm', retries: 0 }).hear({ samples: second })
  await expect(sent).rejects.toMatchObject({ reason: 'unreachable' })
})

/** As whisper.cpp writes with `--output-json-full`. */
const full = {
  systeminfo: 'AVX = 1',
  result: { language: 'en' },
  transcription: [
    {
      timestamps: { from: '00:00:00,000', to: '00:00:02,330' },
      offsets: { from: 0, to: 2330 },
      text: ' And so my Americans,',
      tokens: [
        { text: '[_BEG_]', offsets: { from: 0, to: 0 }, id: 50363, p: 0.97, t_dtw: -1 },
        { text: ' And', offsets: { from: 320, to: 550 }, id: 843, p: 0.8, t_dtw: -1 },
        { text: ' so', offsets: { from: 550, to: 900 }, id: 523, p: 0.9, t_dtw: -1 },
        { text: ' my', offsets: { from: 900, to: 1200 }, id: 616, p: 0.7, t_dtw: -1 },
        { text: ' Amer', offsets: { from: 1500, to: 1900 }, id: 3399, p: 0.9, t_dtw: -1 },
        { text: 'icans', offsets: { from: 1900, to: 2300 }, id: 504, p: 0.7, t_dtw: -1 },
        { text: ',', offsets: { from: 2300, to: 2330 }, id: 11, p: 0.5, t_dtw: -1 },
        { text: '[_TT_116]', offsets: { from: 2330, to: 2330 }, id: 50479, p: 0.1, t_dtw: -1 },
      ],
    },
  ],
}

it('whisper.cpp runs in the sandbox and its JSON is read; a missing program or model is named', async () => {
  expect(
    readWhisper(JSON.stringify(full)).map(({ text, start, end, confidence }) => [text, start, end, confidence]),
  ).toEqual([
    ['And', 320, 550, 0.8],
    ['so', 550, 900, 0.9],
    ['my', 900, 1200, 0.7],
    ['Americans,', 1500, 2330, 0.7],
  ])
  expect(() => readWhisper('{}')).toThrow('nonsense')
  const missing = whisperTranscriber({ model: '/nowhere/ggml.bin', program: 'no-such-whisper' }).hear({
    samples: second,
  })
  await expect(missing).rejects.toThrow('Install whisper.cpp')

  // A stand-in for the program: takes its options as whisper-cli does and writes what whisper-cli writes.
  const folder = mkdtempSync(join(tmpdir(), 'whisper-test-'))
  try {
    const program = join(folder, 'whisper-cli')
    writeFileSync(
      program,
      `#!/bin/sh\ncase "$*" in *"-f voice.wav"*"-ojf -of found"*) ;; *) exit 2;; esac\ntest -s voice.wav && cat "$2" > found.json\n`,
    )
    chmodSync(program, 0o755)
    writeFileSync(join(folder, 'model.bin'), JSON.stringify(full))
    const hear = whisperTranscriber({ model: join(folder, 'model.bin'), program }).hear({ samples: second })
    expect((await hear).map(({ text }) => text)).toEqual(['And', 'so', 'my', 'Americans,'])
    const elsewhere = whisperTranscriber({ model: join(folder, 'model.bin'), program })
    const nowhere = elsewhere.hear({ samples: second, folder: join(folder, 'nowhere') })
    await expect(nowhere).rejects.toThrow(/ENOENT.*nowhere.whisper-/)
    await expect(
      whisperTranscriber({ model: join(folder, 'no.bin'), program }).hear({ samples: second }),
    ).rejects.toThrow('WHISPER_MODEL')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const said = (line: string) =>
  line.split(' ').map((text, i) => ({ text, start: i * 300, end: i * 300 + 250, confidence: 0.9 }))

it('heard words are corrected by the glossary and the script', async () => {
  const glossary = glossaryOf({ officer: [{ term: 'Kowalczyk', mistaken: ['call check', 'co walls'] }] })
  const heard = withGlossary(said("I'm Anna Call Check, my animal s is here. The dti's low."), glossary)
  expect(heard.map(({ text }) => text).join(' ')).toBe("I'm Anna Kowalczyk, my NMLS is here. The DTI's low.")
  expect(heard[2]).toMatchObject({ start: 600, end: 1150 })

  const { words, unsaid } = await againstScript(
    said('um a four hundred thousand dollar lone can really save you money'),
    'A $400,000 loan can save you some money.',
    's1',
  )
  expect(words.map(({ text, mark = '' }) => `${text}${mark && `:${mark}`}`).join(' ')).toMatch(
    /^um:filler A .*loan can really:off-script save you money\.$/,
  )
  expect(unsaid.map(({ text }) => text)).toContain('some')
  expect(words.find(({ text }) => text === 'loan')!.origin).toBe('script')
})

it('the best available method is used, and notes say what could not be done', async () => {
  vi.stubEnv('POCKETSPHINX_PATH', '/nowhere/pocketsphinx')
  const request = { source: 's1', script: kennedy.script }
  expect(await transcribeSamples(kennedy.samples, request)).toMatchObject({ means: 'shared-out' })
  const silent = await transcribeSamples(kennedy.samples, { ...request, script: '' })
  expect(silent.words).toEqual([])
  expect(silent.silences.length).toBeGreaterThan(2)
  expect(silent.notes[0]).toContain('import an SRT or VTT file')

  await using server = await transcriptionServer((_, response, count) =>
    count === 1 ? json(response, 200, verbose) : json(response, 400, { error: { message: 'no' } }),
  )
  const transcriber = transcriberFrom({ TRANSCRIBER_URL: server.url })!
  const heard = await transcribeSamples(kennedy.samples, { ...request, transcriber })
  expect(heard).toMatchObject({
    means: 'transcribed',
    words: [{ text: 'And', origin: 'script' }, { text: 'so,' }, { text: 'my' }],
  })
  expect(heard.unsaid[0]!.text).toMatch(/^fellow Americans: .* country\.$/)
  const failed = await transcribeSamples(kennedy.samples, { ...request, transcriber })
  expect(failed.means).toBe('shared-out')
  expect(failed.notes).toHaveLength(2)
  expect(transcriberFrom({})).toBeUndefined()
})

it('for two takes of one script, only what neither take says is unsaid', () => {
  const take = (from: number, to: number) => ({ id: `u${from}`, source: 's1', at: 0, text: '', from, to })
  const script = 'One two three four five six.'
  const left = unsaidInAll([{ unsaid: [take(2, 5)] }, { unsaid: [take(0, 2), take(4, 4)] }], script)
  expect(left.map(({ id, text }) => `${id} ${text}`)).toEqual(['u2 three', 'u2.1 five'])
  expect(unsaidInAll([{ unsaid: [take(2, 5)] }], script)[0]!.text).toBe('three four five six.')
})
