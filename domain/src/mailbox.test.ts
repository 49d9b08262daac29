import { expect, it } from 'vitest'
import { canonicalMailbox } from './mailbox.ts'

it.each([
  ['officer@lender.test', 'officer@lender.test'],
  [' Officer@Lender.TEST ', 'officer@lender.test'],
  ['officer+second@lender.test', 'officer@lender.test'],
  ['officer+a+b@lender.test', 'officer@lender.test'],
  ['first.last@lender.test', 'first.last@lender.test'],
  ['first.last+tag@lender.test', 'first.last@lender.test'],
  ['first.last@gmail.com', 'firstlast@gmail.com'],
  ['First.Last+tag@GoogleMail.com', 'firstlast@gmail.com'],
  ['firstlast@googlemail.com', 'firstlast@gmail.com'],
  ['first.last@gmail.com.lender.test', 'first.last@gmail.com.lender.test'],
  ['+tag@lender.test', '+tag@lender.test'],
  ['+one+two@lender.test', '+one@lender.test'],
])('the mailbox of %s is %s', (address, mailbox) => {
  expect(canonicalMailbox(address)).toBe(mailbox)
  expect(canonicalMailbox(mailbox)).toBe(mailbox)
})
