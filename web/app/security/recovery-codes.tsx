import { useEffect, useRef } from 'react'
import { Copy, Download } from 'lucide-react'
import { copyText } from '../ui/copy-text.ts'
import { Button } from '../ui/button.tsx'
import { messages } from './messages.ts'

/** The codes, shown this once, and two ways to keep them. */
export const RecoveryCodes = ({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) => {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => list.current?.focus(), [])
  const text = codes.join('\n')
  const download = () => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([`${messages.fileHead}\n\n${text}\n`], { type: 'text/plain' }))
    link.download = messages.fileName
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <div className="grid gap-4">
      <p className="text-muted">{messages.codesText}</p>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={messages.codes}
        className="figures grid grid-cols-[repeat(auto-fit,minmax(11.5rem,1fr))] gap-x-6 gap-y-1.5 rounded-control bg-sunken p-4 font-mono outline-none"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button icon={<Download aria-hidden />} onPress={download}>
          {messages.download}
        </Button>
        <Button icon={<Copy aria-hidden />} onPress={() => void copyText(text, messages.copied)}>
          {messages.copyAll}
        </Button>
      </div>
      <Button variant="primary" size="large" onPress={onKept}>
        {messages.codesKept}
      </Button>
    </div>
  )
}
