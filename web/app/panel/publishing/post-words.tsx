import { useState } from 'react'
import type { Post } from '@clear-to-post/contract/publishing'
import { cx } from '../../ui/cx.ts'
import { messages } from './messages.ts'

/** A post's own words, below its title where it has one; folded while they are long. */
export const PostWords = ({ post: { words, title } }: { post: Post }) => {
  const [isWhole, setWhole] = useState(false)
  const isLong = words.length > 160 || words.split('\n').length > 2
  return (
    <div className="grid justify-items-start gap-1">
      {title !== undefined && <p className="[overflow-wrap:anywhere]">{title}</p>}
      <p
        className={cx('[overflow-wrap:anywhere] whitespace-pre-wrap text-muted', isLong && !isWhole && 'line-clamp-2')}
      >
        {words}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isWhole}
          className="touch text-[0.8125rem] underline underline-offset-2"
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? messages.lessText : messages.wholeText}
        </button>
      )}
    </div>
  )
}
