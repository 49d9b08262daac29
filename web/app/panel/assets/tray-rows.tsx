import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import type { Waiting } from './follow.ts'
import { messages } from './messages.ts'
import { DiscardButton, WaitingState } from './waiting-row.tsx'

/** The files of the tray, each with where it is and the way to throw it away. */
export const TrayRows = ({ items }: { items: readonly Waiting[] }) => (
  <ul className="max-h-64 divide-y divide-line overflow-y-auto">
    {items.map((item) => (
      <li key={item.key} className="relative px-3 py-2">
        <p className="truncate pr-7 text-[0.8125rem]" title={item.name}>
          {item.name}
        </p>
        <WaitingState item={item} isShort />
        <ToProject item={item} />
        <span className="absolute top-0.5 right-0.5 [&_button]:size-7 [&_svg]:size-3.5">
          <DiscardButton item={item} />
        </span>
      </li>
    ))}
  </ul>
)

const ToProject = ({ item: { upload, asset } }: { item: Waiting }) => {
  const projectId = upload?.projectId ?? asset?.projectId
  return (
    projectId !== undefined && (
      <Link
        to={paths.project}
        params={{ projectId }}
        className="touch inline-flex items-center text-[0.8125rem] font-medium text-primary-text hover:underline"
      >
        {messages.toProject}
      </Link>
    )
  )
}
