import type { TermsDocument } from '@clear-to-post/domain/terms'
import { inLanguage } from '../../language.ts'
import { pageNames } from '../sub-pages.ts'

export const messages = inLanguage({
  en: {
    title: pageNames.consents,
    text: 'Who agreed to the terms of use and to the privacy notice, and to which version. When there is a new version, the panel asks everybody once.',
    toPeople: 'People',
    failed: 'The consents did not load',
    emptyTitle: 'Nobody is here yet',
    emptyText: 'As soon as somebody has an account, their consent stands here.',
    search: 'Name or e-mail',
    clear: 'Clear filters',
    noneTitle: 'Nobody matches',
    noneText: 'Try other words, or show everybody.',
    show: 'Show',
    all: 'Everybody',
    shows: { due: 'Not agreed to the current version', agreed: 'Agreed to the current version' },
    list: 'People and what they agreed to',
    person: 'Person',
    company: 'Company',
    email: 'E-mail',
    documents: { terms: 'Terms of use', privacy: 'Privacy notice' } satisfies Record<TermsDocument, string>,
    documentAt: (document: string) => `${document}, agreed on`,
    wordsOf: (day: string) => `Version of ${day}`,
    agreedAt: (when: string) => `agreed ${when}`,
    never: 'Not agreed',
    state: 'Status',
    due: 'Due',
    current: 'Up to date',
    now: (terms: string, privacy: string) => `Current versions: terms of ${terms}, privacy notice of ${privacy}.`,
  },
})
