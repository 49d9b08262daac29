import { useEffect, useRef, useState } from 'react'
import { Input } from 'react-aria-components/Input'
import { TextField } from 'react-aria-components/TextField'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { Refusal } from '@clear-to-post/contract/errors'
import { feedback, type Criteria } from '@clear-to-post/contract/feedback'
import { criteriaLimits } from '@clear-to-post/domain/feedback'
import { keyOf, queryClient, send, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Below, box, field } from '../../ui/fields.tsx'
import { LongForm } from '../../ui/form-card.tsx'
import { toastUndo } from '../../ui/toast-undo.ts'
import { messages } from './messages.ts'
import { bodyOf, isSame, moved, rowsOf, wrongOf, type Row } from './rows.ts'

/** The list, written over and kept as a whole: names in fields, the order by buttons. */
export const CriteriaForm = ({ kept }: { kept: Criteria }) => {
  // With the version it began from: what somebody else saved meanwhile is not overwritten unseen.
  const [draft, setDraft] = useState<{ rows: Row[]; revision: number } | null>(null)
  const [isAsked, setIsAsked] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [said, setSaid] = useState('')
  const made = useRef(0)
  const form = useRef<HTMLFormElement>(null)
  const toFocus = useRef<string | null>(null)
  useEffect(() => {
    if (toFocus.current === null) return
    document.getElementById(toFocus.current)?.focus()
    toFocus.current = null
  })
  const rows = draft?.rows ?? rowsOf(kept.criteria)
  const isChanged = draft !== null && !isSame(rows, kept.criteria)
  const wrong = isAsked ? wrongOf(rows) : new Map<string, never>()
  const write = (next: Row[]) => {
    setFailure(undefined)
    setDraft({ rows: next, revision: draft?.revision ?? kept.revision })
  }
  const forget = () => {
    setDraft(null)
    setIsAsked(false)
    setFailure(undefined)
  }
  const save = useCall(feedback.setCriteria, {
    onSuccess: (fresh) => {
      queryClient.setQueryData(keyOf(feedback.criteria, {}), fresh)
      forget()
      const isThere = new Set(fresh.criteria.map(({ id }) => id))
      const criteria = kept.criteria.map(({ id, label }) => (isThere.has(id) ? { id, label } : { label }))
      toastUndo(messages.saved, () =>
        send(feedback.setCriteria, { body: { criteria, revision: fresh.revision } }).then((back) =>
          queryClient.setQueryData(keyOf(feedback.criteria, {}), back),
        ),
      )
    },
    onError: (error) => {
      setFailure(failureWords(error))
      if (error instanceof Refusal) void queryClient.invalidateQueries({ queryKey: ['feedback'] })
    },
  })
  const submit = () => {
    if (draft === null) return
    setIsAsked(true)
    const [first] = wrongOf(rows).keys()
    if (first === undefined) save.mutate({ body: { criteria: bodyOf(rows), revision: draft.revision } })
    else {
      const input = form.current?.querySelectorAll('input')[rows.findIndex(({ key }) => key === first)]
      input?.focus()
      // The words stand below it and must not lie under the bar.
      input?.scrollIntoView({ block: 'center' })
    }
  }
  const nameOf = (row: Row, place: number) => row.label.trim() || messages.unnamed(place + 1)
  const move = (from: number, to: number) => {
    const row = rows[from]!
    const isUp = to < from
    // The button that was pressed wanders along; at an end the other one goes on.
    const side = to === 0 ? 'down' : to === rows.length - 1 ? 'up' : isUp ? 'up' : 'down'
    toFocus.current = `${row.key}-${side}`
    setSaid(messages.moved(nameOf(row, from), to + 1, rows.length))
    write(moved(rows, from, to))
  }
  const remove = (place: number) => {
    const rest = rows.filter((_, i) => i !== place)
    toFocus.current = rest.length === 1 ? 'add-criterion' : `${(rest[place] ?? rest.at(-1)!).key}-remove`
    setSaid(messages.removed(nameOf(rows[place]!, place)))
    write(rest)
  }
  const isFull = rows.length >= criteriaLimits.count
  return (
    <LongForm
      formRef={form}
      isUnsaved={isChanged}
      isPending={save.isPending}
      failure={failure}
      onSave={submit}
      onUndo={forget}
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
      footClassName="-mx-4 md:mx-0 md:rounded-card md:border"
    >
      <div className="rounded-card border border-line bg-surface">
        <ol aria-label={messages.list} className="divide-y divide-line">
          {rows.map((row, i) => {
            const name = nameOf(row, i)
            const problem = wrong.get(row.key)
            return (
              <li
                key={row.key}
                className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-2 sm:grid-cols-[auto_minmax(0,1fr)_auto] px-3 py-2.5 md:gap-x-3 md:px-4"
              >
                <span aria-hidden className="figures w-5 pt-2.5 text-right text-muted">
                  {i + 1}
                </span>
                <TextField
                  aria-label={messages.nameOf(i + 1)}
                  value={row.label}
                  onChange={(label) => write(rows.map((one) => (one === row ? { ...one, label } : one)))}
                  maxLength={criteriaLimits.label}
                  isInvalid={problem !== undefined}
                  autoFocus={row.id === undefined}
                  autoComplete="off"
                  className={field}
                >
                  <Input placeholder={messages.placeholder} className={cx(box, 'touch h-10 px-3')} />
                  <Below
                    error={problem && (problem === 'nameless' ? messages.needName : messages.twice(row.label.trim()))}
                  />
                </TextField>
                <div className="flex pt-0.5 max-sm:col-start-2 max-sm:-mb-1 max-sm:justify-end">
                  <IconButton
                    id={`${row.key}-up`}
                    label={messages.up(name)}
                    isDisabled={i === 0}
                    onPress={() => move(i, i - 1)}
                  >
                    <ArrowUp aria-hidden />
                  </IconButton>
                  <IconButton
                    id={`${row.key}-down`}
                    label={messages.down(name)}
                    isDisabled={i === rows.length - 1}
                    onPress={() => move(i, i + 1)}
                  >
                    <ArrowDown aria-hidden />
                  </IconButton>
                  <IconButton
                    id={`${row.key}-remove`}
                    label={messages.remove(name)}
                    isDisabled={rows.length === 1}
                    onPress={() => remove(i)}
                  >
                    <Trash2 aria-hidden />
                  </IconButton>
                </div>
              </li>
            )
          })}
        </ol>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-3 py-2.5 md:px-4">
          <Button
            id="add-criterion"
            variant="quiet"
            icon={<Plus aria-hidden />}
            isDisabled={isFull}
            onPress={() => write([...rows, { key: `new-${made.current++}`, label: '' }])}
          >
            {messages.add}
          </Button>
          <p className="text-[0.8125rem] text-muted">
            {isFull ? messages.most(criteriaLimits.count) : rows.length === 1 ? messages.oneStays : ''}
          </p>
        </div>
      </div>
      <p role="status" className="sr-only">
        {said}
      </p>
    </LongForm>
  )
}
