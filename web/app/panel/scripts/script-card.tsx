import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { isColour } from '@clear-to-post/edit/contrast'
import { rowLink } from '../../ui/table-look.ts'
import { messages } from './messages.ts'
import { speakingTime } from './speaking.ts'
import type { Category, Script } from './use-library.ts'

/** A script's title and first words; the whole card leads to where it is read. */
export const ScriptCard = ({ script, category }: { script: Script; category?: Category | undefined }) => {
  const colour = category && isColour(category.backgroundColor) ? category.backgroundColor : undefined
  return (
    <article className="relative flex h-full flex-col gap-1.5 overflow-hidden rounded-card border border-line bg-surface p-4 hover:border-edge">
      <span
        aria-hidden
        className="absolute inset-x-0 top-0 h-1 bg-primary"
        style={colour ? { background: `oklch(from ${colour} 0.72 calc(c * 3) h)` } : undefined}
      />
      <h3 className="font-sans text-[0.9375rem] leading-snug font-medium tracking-normal">
        <Link
          to={paths.script}
          params={{ scriptId: script.id }}
          className={`${rowLink} focus-visible:after:rounded-card`}
        >
          {script.title}
        </Link>
      </h3>
      <p className="line-clamp-3 text-muted [overflow-wrap:anywhere]">{script.content}</p>
      <p className="mt-auto flex flex-wrap gap-x-2 gap-y-0.5 pt-1 text-[0.8125rem] text-muted [&>span:not(:last-child)]:after:ml-2 [&>span:not(:last-child)]:after:content-['·']">
        <span className="figures">{messages.speaking(speakingTime(script.content))}</span>
        {(script.tags ?? []).slice(0, 3).map((tag) => (
          <span key={tag}>{tag}</span>
        ))}
      </p>
    </article>
  )
}

export const scriptGrid = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-3'
