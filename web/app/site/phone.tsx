import { messages } from './messages.ts'

/** A drawn officer in a drawn phone: no photograph of anyone who is not a customer. */
export const Phone = () => (
  <figure aria-hidden className="mx-auto w-64 rounded-[2.25rem] border-8 border-[#0f1729] bg-[#0f1729] md:w-72">
    <div className="relative aspect-9/16 overflow-hidden rounded-[1.75rem] bg-linear-to-b from-[#f0c9a0] to-[#c4866e]">
      <svg viewBox="0 0 270 480" className="absolute inset-0 size-full">
        <path d="M26 60h62v88H26zM180 48h70v100h-70z" fill="#f7dfc6" />
        <path d="M57 60v88M26 104h62M215 48v100M180 98h70" stroke="#dcae86" strokeWidth="3" />
        <path d="M20 480c0-96 46-142 115-142s115 46 115 142z" fill="#1b2a4f" />
        <path d="M108 300h54v48c0 20-54 20-54 0z" fill="#96623f" />
        <ellipse cx="135" cy="246" rx="52" ry="62" fill="#a96f49" />
        <path d="M80 236c-4-56 24-80 56-80s60 22 54 80c-8-30-22-42-56-42s-46 14-54 42z" fill="#2a1a14" />
        <path d="M112 352l23 22 23-22 8 18-31 40-31-40z" fill="#fff" />
        <path d="M130 378h10l8 60-13 18-13-18z" fill="#33456f" />
        <circle cx="116" cy="246" r="4" fill="#2a1a14" />
        <circle cx="154" cy="246" r="4" fill="#2a1a14" />
        <path d="M118 276q17 14 34 0" fill="none" stroke="#2a1a14" strokeWidth="3.5" strokeLinecap="round" />
      </svg>
      <span className="figures absolute top-4 left-4 flex items-center gap-2 rounded-full bg-black/55 px-3 py-1 text-xs text-white">
        <span className="size-2 rounded-full bg-[#ff5a3c]" />
        0:41 / 0:58
      </span>
      <p className="absolute inset-x-4 bottom-14 text-center font-display text-xl leading-snug font-bold text-white [text-shadow:0_2px_6px_#0009]">
        {messages.caption[0]}
        <br />
        <span className="rounded-md bg-[#ff5a3c] px-1.5 text-[#0f1729] [text-shadow:none]">
          {messages.caption[1]}
        </span>{' '}
        {messages.caption[2]}
      </p>
      <span className="absolute inset-x-5 bottom-8 h-1 rounded-full bg-white/35">
        <span className="block h-full w-[70%] rounded-full bg-[#ff5a3c]" />
      </span>
    </div>
  </figure>
)
