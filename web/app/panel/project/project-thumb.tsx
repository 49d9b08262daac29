import { useState } from 'react'
import { Clapperboard } from 'lucide-react'
import type { Project } from '@clear-to-post/contract/projects'
import { cx } from '../../ui/cx.ts'
import { clock } from '../../ui/player-time.ts'

/** The project's picture and how long its video is; its size comes by class name. Signed addresses end: a picture that does not come is a symbol. */
export const ProjectThumb = ({ project, className }: { project: Project; className: string }) => {
  const [broken, setBroken] = useState<string>()
  const src = project.thumbnailUrl
  return (
    <span
      aria-hidden
      className={cx(
        'relative grid shrink-0 place-items-center overflow-hidden rounded-md bg-sunken text-muted',
        className,
      )}
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
      {project.duration !== undefined && (
        <span className="figures absolute right-0.5 bottom-0.5 rounded-sm bg-[#0c111b]/75 px-1 text-[0.625rem] leading-4 text-white">
          {clock(project.duration)}
        </span>
      )}
    </span>
  )
}
