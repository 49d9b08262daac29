import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    givenUp: (count: number) => (count === 1 ? '1 job was given up' : `${count} jobs were given up`),
    withGivenUp: (room: string, count: number) => `${room} (${count} given up)`,
  },
})
