import { Link } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { paths } from '../../paths.ts'
import { speakingTime } from '../scripts/speaking.ts'
import { useLibrary } from '../scripts/use-library.ts'
import { messages } from './messages.ts'

/** Three scripts to begin with, each from another category where there are so many. */
export const FirstScripts = () => {
  const { library } = useLibrary()
  const categories = library.data?.categories.filter(({ active }) => active) ?? []
  const firsts = categories.flatMap(({ scripts }) => scripts.slice(0, 1))
  const others = categories.flatMap(({ scripts }) => scripts.slice(1))
  const shown = [...firsts, ...others].slice(0, 3)
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="first-scripts" className="mt-4 grid w-full gap-2 text-left">
      <h3 id="first-scripts" className="text-center font-sans text-sm font-normal tracking-normal text-muted">
        {messages.firstScripts}
      </h3>
      <ul className="grid gap-2 sm:grid-cols-3">
        {shown.map(({ id, title, content }) => (
          <li key={id}>
            <Link
              to={paths.script}
              params={{ scriptId: id }}
              className="flex h-full items-start gap-2.5 rounded-card border border-line bg-surface p-3 hover:border-edge"
            >
              <ScrollText aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
              <span className="grid gap-0.5">
                <span className="font-medium">{title}</span>
                <span className="figures text-[0.8125rem] text-muted">{speakingTime(content)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
