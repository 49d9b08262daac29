import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    title: 'Licenses',
    ownText: 'They stand on the closing card of new videos, in your scripts and in what you post.',
    companyText: 'They stand on the closing card of new videos of this company, and in what its people post.',
    own: 'Your NMLS number',
    company: 'Company NMLS number',
    person: 'NMLS number',
    nmlsHint: 'Digits, as NMLS Consumer Access shows it.',
    wrongNmls: 'Write the number in digits, such as 120456.',
    states: 'Licensed in',
    statesHint: 'Type a state and choose it.',
    removeState: (state: string) => `Remove ${state}`,
    equalHousing: 'Equal Housing',
    equalHousingHint: 'Your charter decides which words you use.',
    none: 'Neither',
    smallPrint: 'On the closing card',
  },
})
