import type { RuleFigures } from '@clear-to-post/contract/edits'
import { withoutRule } from '@clear-to-post/domain/first-cut'
import { thresholdsOf } from '@clear-to-post/edit/first-cut-rules'
import { locale } from '../../language.ts'
import { cx } from '../../ui/cx.ts'
import { bodyRow, cell } from '../../ui/table-look.ts'
import { messages } from './messages.ts'

/** One rule: how often editors kept and undid what it decided, and the numbers it decides by. */
export const RuleRow = ({ rule, kept, undone, added }: RuleFigures) => {
  const isRule = rule !== withoutRule
  const numbers = isRule ? thresholdsOf(rule) : []
  const figure = (label: string, value: string) => (
    <td className={cx(rowCell, 'figures md:text-right')}>
      <span className="text-[0.8125rem] text-muted md:sr-only">{label} </span>
      {value}
    </td>
  )
  return (
    <tr className={cx(bodyRow, 'max-md:grid max-md:grid-cols-3 max-md:gap-x-3 max-md:gap-y-2 max-md:p-4')}>
      <th scope="row" className={cx(rowCell, 'text-left font-medium max-md:col-span-3')}>
        {messages.rules[rule]}
      </th>
      {figure(messages.kept, isRule ? number.format(kept) : '–')}
      {figure(
        messages.undone,
        isRule
          ? `${number.format(undone)}${kept + undone > 0 ? ` · ${messages.undoneOf(undone / (kept + undone))}` : ''}`
          : '–',
      )}
      {figure(messages.added, number.format(added))}
      <td className={cx(rowCell, 'text-[0.8125rem] text-muted max-md:col-span-3')}>
        {numbers.length === 0 ? (
          isRule && messages.noNumbers
        ) : (
          <ul>
            {numbers.map(({ what, value, unit }) => (
              <li key={what}>{messages.number(what, `${number.format(value)} ${unit}`)}</li>
            ))}
          </ul>
        )}
      </td>
    </tr>
  )
}

const rowCell = cx(cell, 'max-md:block max-md:p-0! md:py-2.5 align-top')
const number = new Intl.NumberFormat(locale)
