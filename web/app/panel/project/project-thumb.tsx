import { useState } from 'react'
import { Clapperboard } from 'lucide-react'
import type { Project } from '@clear-to-post/contract/projects'
import { cx } from '../../ui/cx.ts'

/** The project's picture; its size comes by class name. Signed addresses end: a picture that does not come is a symbol. */
export const ProjectThumb = ({ project, className }: { project: Project; className: string }) => {
  const [broken, setBroken] = useState<string>()
  const src = project.thumbnailUrl
  return (
    <span
      aria-hidden
      className={cx('grid shrink-0 place-items-center overflow-hidden rounded-md bg-sunken text-muted', className)}
    >
      {src && broken !== src ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          className="size-full object-cover object-[50%_25%]"
          onError={() => setBroken(src)}
        />
      ) : (
        <Clapperboard className="size-5" />
      )}
    </span>
  )
}
