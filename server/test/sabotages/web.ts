import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a device takes whatever the service calls the end of a take as all of it',
    file: 'web/app/spool/send-take.ts',
    from: 'if (take.isEnded && here >= take.safeBytes)',
    to: 'if (take.isEnded)',
    noticed: ['server/test/recording.test.ts', 'until the service has every byte'],
  },
  {
    what: 'an amount of 1,50 is read as 150',
    file: 'web/app/panel/subscriptions/money.ts',
    from: '(,\\d{3})+',
    to: '(,\\d+)+',
    noticed: ['web/app/panel/subscriptions/money.test.ts', 'one that can be read in two ways'],
  },
  {
    what: 'who signs in leaves the recorder to the last person',
    file: 'web/app/session.ts',
    from: '    forgetOtherRecorder(user.id)\n',
    to: '',
    noticed: ['server/test/session.test.ts', 'ends who records here without a network'],
  },
  {
    what: 'a renewal brings back who signed out meanwhile',
    file: 'web/app/session.ts',
    from: 'isLeaving() ? stayOut(answer.idToken) : accept(answer)',
    to: 'accept(answer)',
    noticed: ['server/test/session.test.ts', 'a sign-out while the session is renewed'],
  },
  {
    what: 'a take of the last person is sent as somebody else’s',
    file: 'web/app/session.ts',
    from: 'subjectOf(value) === userId ? value : null',
    to: 'value',
    noticed: ['server/test/session.test.ts', 'never sent with that one’s token'],
  },
  {
    what: 'files of somebody whose session ended stay in the page of who signs in next',
    file: 'web/app/session.ts',
    from: 'if (last !== null && last !== id) {',
    to: 'if (last !== null && last !== id && state.user !== null) {',
    noticed: ['server/test/session.test.ts', 'a session that merely ended leaves what is held'],
  },
  {
    what: 'what a recorder puts out without a byte counts as time that is safe',
    file: 'web/app/recorder/take-recorder.ts',
    from: 'if (data.size === 0) return',
    to: '',
    noticed: ['web/app/recorder/take-recorder.test.ts', 'pieces without a byte call nothing safe'],
  },
  {
    what: 'words go on while a take is paused',
    file: 'web/app/recorder/take-recorder.ts',
    from: 'isRunning: () => runningSince !== null',
    to: 'isRunning: () => true',
    noticed: ['web/app/recorder/take-recorder.test.ts', 'a take that is paused is not running at once'],
  },
  {
    what: 'a camera is remembered by its place among the others',
    file: 'web/app/recorder/camera.ts',
    from: 'known.cameras.find(({ name }) => name === wished.camera)?.id',
    to: 'known.cameras[0]?.id',
    noticed: ['web/app/recorder/camera.test.ts', 'are found again by their names'],
  },
  {
    what: 'a page of a room is not found by its name',
    file: 'web/app/panel/sub-pages.ts',
    from: "  { of: 'reports', to: paths.payroll, label: pageNames.payroll, isTab: true },\n",
    to: '',
    noticed: ['web/app/panel/actions/registry.test.ts', 'is found by them'],
  },
]
