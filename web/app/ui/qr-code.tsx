import { encode } from 'uqr'
import { cx } from './cx.ts'

/** An address as a QR code: black on white in both themes, for scanners read nothing else well. */
export const QrCode = ({ text, label, className }: { text: string; label: string; className?: string }) => {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={cx('rounded-control bg-white', className)}
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
