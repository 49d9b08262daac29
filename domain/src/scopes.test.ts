import { expect, it } from 'vitest'
import { access, type Permission } from './access.ts'
import { personRoles } from './roles.ts'
import { keyDays, scopeOfPermission, scopes, scopesOf } from './scopes.ts'

it('a role allows a key what it may do itself, written out a second time', () => {
  expect(Object.fromEntries(personRoles.map((role) => [role, scopesOf(role).join(' ')]))).toEqual({
    User: 'videos.read videos.write scripts.read scripts.write',
    Editor:
      'videos.read videos.write edits.read edits.write library.read library.write scripts.read scripts.write people.read reports.read',
    QA: 'videos.read videos.write edits.read library.read scripts.read scripts.write people.read',
    ADMIN:
      'videos.read videos.write edits.read edits.write library.read library.write scripts.read scripts.write people.read reports.read',
  })
})

it('a key of a company does no work on a cut, whatever it is allowed', () => {
  const isCompanys = true
  expect(scopesOf('ADMIN', { isCompanys })).toEqual(scopesOf('ADMIN').filter((scope) => scope !== 'edits.write'))
  const taken = (Object.keys(access) as Permission[]).filter(
    (permission) => scopeOfPermission(permission, { isCompanys }) !== scopeOfPermission(permission),
  )
  expect(taken.toSorted()).toEqual(['asset.upload', 'edit.write', 'project.send', 'project.start'])
})

it('each permission is of the scope that is written here a second time, or of none', () => {
  const permissions = Object.keys(access) as Permission[]
  const of = (scope: (typeof scopes)[number]) =>
    permissions
      .filter((permission) => scopeOfPermission(permission) === scope)
      .toSorted()
      .join(' ')
  expect(Object.fromEntries(scopes.map((scope) => [scope, of(scope)]))).toEqual({
    'videos.read':
      'asset.read comment.list feedback.read post.read project.decided project.free project.history project.list project.next project.pool project.read project.sources project.triage',
    'videos.write':
      'asset.upload comment.answer comment.delete comment.edit comment.tick comment.write project.assign project.cancel project.create project.reorder project.send project.start project.unschedule',
    'edits.read': 'edit.read rule.read',
    'edits.write': 'edit.write',
    'library.read': 'clip.read look.read',
    'library.write': 'clip.write look.write',
    'scripts.read': '',
    'scripts.write': 'script.write',
    'people.read': 'user.bound user.search',
    'reports.read': 'goal.list report.read',
  })
})

it('every scope lets a key make some call, and no key ever touches identity, money, rights or what goes out', () => {
  const permissions = Object.keys(access) as Permission[]
  const given = new Set(
    permissions.map((permission) => scopeOfPermission(permission)).filter((scope) => scope !== null),
  )
  expect(scopes.filter((scope) => !given.has(scope) && !scope.startsWith('scripts.'))).toEqual([])
  const never =
    /^(user\.(reset|invite|removals|consents)|api-key|webhook|tenant|subscription|refund|catalogue|trigger)\b/
  const alsoNever = /^(audit|support|connection|post\.(write|remove)|note|take|report\.(money|payroll))\b/
  for (const permission of permissions)
    if (never.test(permission) || alsoNever.test(permission))
      expect({ permission, scope: scopeOfPermission(permission) }).toEqual({ permission, scope: null })
})

it('a key is good for a week, a month, a season or a year', () => {
  expect(keyDays).toEqual([7, 30, 90, 365])
})
