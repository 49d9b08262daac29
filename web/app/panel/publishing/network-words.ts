import { networkTitles } from '@clear-to-post/domain/network-titles'
import type { Network } from '@clear-to-post/domain/networks'
import { locale } from '../../language.ts'

/** `Instagram and YouTube` */
export const networkWords = (names: readonly Network[]): string =>
  new Intl.ListFormat(locale).format(names.map((name) => networkTitles[name]))
