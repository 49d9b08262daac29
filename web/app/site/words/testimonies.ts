import { inLanguage } from '../../language.ts'

export const words = inLanguage({
  en: {
    title: 'In their own words',
    honest:
      'We are new, so these are samples that we wrote ourselves. The first officers who let us quote them will stand here instead, with their names.',
    sample: 'Sample',
    list: [
      {
        said: 'I film in the parking lot right after a closing. What comes back looks as if I had planned it.',
        who: 'A loan officer',
        where: 'on filming between appointments',
      },
      {
        said: 'I stopped writing e-mails about second 41. I tap the frame, say what is wrong, and the next version has it.',
        who: 'A branch manager',
        where: 'on asking for a revision',
      },
      {
        said: 'Each video shows who approved it and when. That is the part I used to chase.',
        who: 'A compliance reviewer',
        where: 'on the project’s history',
      },
    ],
  },
})
