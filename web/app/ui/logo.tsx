import { cx } from './cx.ts'

/** Icon plus wordmark, 120 px wide at every size of letters (docs/specification/pages.md). */
export const Logo = ({ className }: { className?: string }) => (
  <span className={cx('inline-flex w-[120px] items-center gap-[8px]', className)}>
    <LogoMark className="size-[26px]" />
    <span className="font-display text-[15px] leading-none font-bold tracking-tight whitespace-nowrap">
      Clear to Post
    </span>
  </span>
)

/** A cleared check, and the tally light of a camera that records. */
export const LogoMark = ({ className }: { className?: string }) => (
  <svg viewBox="0 0 32 32" aria-hidden className={cx('shrink-0', className)}>
    <rect x="0" y="3" width="29" height="29" rx="8" className="fill-primary" />
    <path
      d="M7.5 18.2l5 5L22.5 13"
      fill="none"
      strokeWidth="3.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="stroke-on-primary"
    />
    <circle cx="26" cy="6" r="4.6" strokeWidth="2.4" className="fill-coral stroke-surface" />
  </svg>
)
