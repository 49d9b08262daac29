import type { ReactNode } from 'react'

/**
 * Content that comes into view once a tenth of it is visible (docs/specification/pages.md: 0.5 s, 100 px). home.ts hides what
 * waits below the screen, and only then: without scripts, or with reduced motion, everything simply stands there.
 */
export const Reveal = ({
  type = 'slideFade',
  direction = 'up',
  className,
  children,
}: {
  type?: 'slide' | 'fade' | 'slideFade'
  direction?: 'up' | 'down' | 'left' | 'right'
  className?: string
  /** One element, which moves; the frame around it stands still and is what is watched. */
  children: ReactNode
}) => (
  <div data-reveal={type} data-direction={direction} className={className}>
    {children}
  </div>
)
