/** On which days `npm run prove -- dates` runs the tests: what a calendar does seldom, each near its turn. */
export const days = [
  '2027-01-31T23:50Z',
  '2027-03-01T00:10Z',
  // Clocks are put forward and back in the United States.
  '2027-03-14T06:55Z',
  '2027-11-07T05:55Z',
  '2027-12-31T23:50Z',
  '2028-02-29T00:10Z',
]

/** What reckons with days, hours and periods: the rules, the contract, and these rooms of the server. */
export const rooms = [
  'domain/',
  'contract/',
  ...[
    'accounts',
    'audit',
    'calendar',
    'goals',
    'invitations',
    'notifications',
    'personal-data',
    'projects',
    'publishing',
    'reports',
    'subscriptions',
    'support',
    'tenants',
    'tracking',
  ].map((room) => `server/src/${room}/`),
]
