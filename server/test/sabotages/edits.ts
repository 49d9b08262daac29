import type { Sabotage } from '../sabotage.ts'

const freeVideo = (test: string) => ['server/src/projects/free-video.test.ts', test] as const
const firstCutQueue = (test: string) => ['server/src/edits/first-cut-queue.test.ts', test] as const

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a running render goes on when its video is canceled',
    file: 'server/src/edits/store.ts',
    from: "where project_id = ${projectId} and state in ('queued', 'running')`)",
    to: "where project_id = ${projectId} and state in ('queued')`)",
    noticed: freeVideo('nothing is made of a canceled video'),
  },
  {
    what: 'the brand of a company is read for a video of another',
    file: 'server/src/edits/brand.ts',
    from: 'left join tenant t on t.id = ${tenantId}::uuid',
    to: 'left join tenant t on t.id = p.tenant_id',
    noticed: ['server/src/edits/brand.test.ts', 'a video’s brand is its company’s'],
  },
  {
    what: 'a render shows another company’s file',
    file: 'server/src/edits/render.ts',
    from: 'originalsOf(tx, ids, { for: projectId })',
    to: 'originalsOf(tx, ids)',
    noticed: ['server/src/edits/render.test.ts', 'one that is gone or another company’s is named'],
  },
  {
    what: 'a render is asked for while its video is being canceled',
    file: 'server/src/edits/store.ts',
    from: 'for share of p`)',
    to: '`)',
    noticed: freeVideo('nothing is made of a canceled video'),
  },
  {
    what: 'a company has several first cuts made at once',
    file: 'server/src/edits/jobs.ts',
    from: `  oneEach: true,
`,
    to: '',
    noticed: firstCutQueue('the first cut of a company that has one'),
  },
  {
    what: 'long recordings hold both lanes of first cuts',
    file: 'server/src/edits/jobs.ts',
    from: `  quickFrom: longPriority + 1,
`,
    to: '',
    noticed: firstCutQueue('long recordings hold one of the two lanes'),
  },
  {
    what: 'first cuts take turns by video',
    file: 'server/src/edits/first-cut-queue.ts',
    from: 'owner: tenant_id ?? user_id',
    to: 'owner: id',
    noticed: firstCutQueue('officers of one company'),
  },
  {
    what: 'a first cut is enqueued as often as it is asked for',
    file: 'server/src/edits/first-cut-queue.ts',
    from: `  if (waits) return
`,
    to: '',
    noticed: firstCutQueue('a first cut that is asked for again'),
  },
  {
    what: 'a script may be longer than the recordings hold',
    file: 'server/src/edits/actions.ts',
    from: `  if (tooLong) throw refusal('edit.script-too-long', tooLong)
`,
    to: '',
    noticed: firstCutQueue('a script of far more words'),
  },
  {
    what: 'an officer’s text of any length is looked for in the recordings',
    file: 'server/src/edits/first-cut.ts',
    from: "const script = tooLong ? '' : textOf(run.script)",
    to: 'const script = textOf(run.script)',
    noticed: ['server/src/edits/takes.test.ts', 'words for which the time does not last'],
  },
  {
    what: 'the words of a video are looked for without end',
    file: 'server/src/edits/first-cut.ts',
    from: `        withinMs: until - performance.now(),
`,
    to: '',
    noticed: ['server/src/edits/takes.test.ts', 'words for which the time does not last'],
  },
  {
    what: 'a video of any length is rendered',
    file: 'server/src/edits/actions.ts',
    from: `  if (tooLong) throw refusal('edit.too-long', tooLong.text)
`,
    to: '',
    noticed: ['server/src/edits/render.test.ts', 'an edit that is too long'],
  },
  {
    what: 'one company’s kits wait in every place of the line',
    file: 'server/src/edits/kit-line.ts',
    from: 'this.#waiting.length >= most.waiting || own >= most.ofOne',
    to: 'this.#waiting.length >= most.waiting',
    noticed: ['server/src/edits/kit-line.test.ts', 'eight kits wait'],
  },
  {
    what: 'one company’s kits push those of all others out of what is kept',
    file: 'server/src/edits/kept-texts.ts',
    from: `    this.#makeRoom(bytes, this.#mostBytes / 4, owner)
`,
    to: '',
    noticed: ['server/src/edits/kit-line.test.ts', 'texts are kept up to'],
  },
  {
    what: 'a recipe whose finished file is there is rendered again',
    file: 'server/src/edits/actions.ts',
    from: `  if (rendered) return rendered.id
`,
    to: '',
    noticed: ['server/src/edits/render.test.ts', 'a recipe whose newest file is there'],
  },
  {
    what: 'finished files of a project are kept without end',
    file: 'server/src/edits/render.ts',
    from: `    if (done === 1) await dropSurplus(tx, run.project_id)
`,
    to: '',
    noticed: ['server/src/edits/render.test.ts', 'a recipe whose newest file is there'],
  },
  {
    what: 'a render may take for ever',
    file: 'server/src/edits/render.ts',
    from: 'AbortSignal.any([run.signal, progress.signal, clock])',
    to: 'AbortSignal.any([run.signal, progress.signal])',
    noticed: ['server/src/edits/render.test.ts', 'a render that takes far longer'],
  },
  {
    what: 'a run that renders ahead goes on after the project left its editor',
    file: 'server/src/edits/ahead.ts',
    from: `    if (!(await isWanted(run))) return 'stopped'\n`,
    to: '',
    noticed: ['server/src/edits/ahead.test.ts', 'a project that leaves its editor ends a run'],
  },
  {
    what: 'edits of a company that was closed are rendered ahead',
    file: 'server/src/edits/ahead.ts',
    from: 'and not o.is_disabled and coalesce(t.is_active, true)',
    to: 'and not o.is_disabled',
    noticed: ['server/src/edits/ahead.test.ts', 'nothing is made while nobody may edit'],
  },
  {
    what: 'a first cut is made of a canceled video',
    file: 'server/src/edits/first-cut.ts',
    from: 'if (!project || project.status === Status.canceled) return null',
    to: 'if (!project) return null',
    noticed: ['server/test/kept-bytes.test.ts', 'has no first cut made'],
  },
  {
    what: 'recipes are read before a render that runs already is said',
    file: 'server/src/edits/actions.ts',
    from: "  if (await isRendering(tx, projectId)) throw refusal('render.running')\n",
    to: '',
    noticed: ['server/src/edits/edits.test.ts', 'a project has one render at a time'],
  },
  {
    what: 'how loud a cleaned take is, is measured at each run',
    file: 'server/src/edits/ahead.ts',
    from: '[...known].filter(([, { cleanedBy }]) => cleanedBy === undefined)',
    to: '[...known]',
    noticed: ['server/src/edits/ahead.test.ts', 'how much louder its take is once it is cleaned'],
  },
  {
    what: 'the disk runs full while sound is made ahead',
    file: 'server/src/edits/ahead.ts',
    from: 'const signal = AbortSignal.any([run.signal, room.signal])',
    to: 'const signal = run.signal',
    noticed: ['server/src/edits/ahead.test.ts', 'a disk that fills while the sound is made'],
  },
  {
    what: 'how a take is held steady is counted anew with each render',
    file: 'server/src/edits/measured.ts',
    from: 'key === undefined ? undefined : counted.get(key)',
    to: 'undefined as SteadyPath | undefined',
    noticed: ['server/src/edits/measured.test.ts', 'counted once'],
  },
  {
    what: 'how takes are held steady is remembered without a bound',
    file: 'server/src/edits/measured.ts',
    from: 'frames > mostFrames',
    to: 'frames > Infinity',
    noticed: ['server/src/edits/measured.test.ts', 'counted once'],
  },
]
