import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'two views of one list have one name',
    file: 'server/src/views/actions.ts',
    from: "  if (other && other.id !== viewId) throw refusal('view.name-taken')\n",
    to: '',
    noticed: ['server/src/views/views.test.ts', 'two views of one page never have one name'],
  },
  {
    what: 'somebody keeps views without end',
    file: 'server/src/views/actions.ts',
    from: "  if (!isThere && (await countViews(tx, id)) >= mostKept.views) throw refusal('view.too-many')\n",
    to: '',
    noticed: ['server/src/views/views.test.ts', 'one more than anybody needs'],
  },
]
