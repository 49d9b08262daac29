/**
 * The emoji of the trade: few, and only where the word means just that. By the first of two columns the picture is
 * named (`edit/emoji/<file>.webp`, Fluent Emoji, MIT); the words are as they are spoken, in small letters.
 */
export const emojis = {
  '🏠': {
    file: '1f3e0',
    words: 'home, homes, house, houses, property, properties, first time buyer, first time buyers',
  },
  '🏡': { file: '1f3e1', words: 'neighborhood, dream home, backyard, yard' },
  '🔑': {
    file: '1f511',
    words: 'key, keys, homeowner, homeowners, homeownership, closing table, closing day, move in',
  },
  '💰': { file: '1f4b0', words: 'save, saves, saving, savings, equity, cash, cash out, assistance' },
  '💵': {
    file: '1f4b5',
    words: 'payment, payments, down payment, monthly payment, closing costs, dollars, earnest money',
  },
  '📉': {
    file: '1f4c9',
    words: 'rates dropped, rates fell, rates came down, lower your rate, lower rate, buydown, drop',
  },
  '📈': { file: '1f4c8', words: 'rates rose, rates went up, appreciation, inventory' },
  '📊': { file: '1f4ca', words: 'market update, market, rate, rates, mortgage rates, interest rate, interest rates' },
  '📅': {
    file: '1f4c5',
    words: 'calendar, deadline, schedule, appointment, this week, every month, every single month',
  },
  '✅': {
    file: '2705',
    words: 'approved, approval, pre-approved, preapproved, preapproval, pre-approval, qualified, underwritten',
  },
  '📝': { file: '1f4dd', words: 'application, apply, paperwork, documents, contract' },
  '🏦': { file: '1f3e6', words: 'bank, banks, lender, lenders' },
  '💳': { file: '1f4b3', words: 'credit, credit card, credit cards, credit score' },
  '📞': { file: '1f4de', words: 'call me, give me a call, phone' },
  '📲': { file: '1f4f2', words: 'text me, message, message me, dm me' },
  '🔗': { file: '1f517', words: 'link, link below, link in bio' },
  '❓': { file: '2753', words: 'question, questions' },
  '💡': { file: '1f4a1', words: 'tip, tips, idea, secret, opportunity, the thing' },
  '⚠️': { file: '26a0-fe0f', words: 'mistake, mistakes, avoid, get wrong, careful, warning' },
  '🤝': { file: '1f91d', words: 'seller, sellers, negotiate, negotiating, agent, realtor' },
  '🔨': { file: '1f528', words: 'repair, repairs, renovation, fixer upper' },
  '🎉': { file: '1f389', words: 'congratulations, congrats' },
  '🎖️': { file: '1f396-fe0f', words: 'va loan, va loans, veteran, veterans, military' },
  '⏳': { file: '23f3', words: 'wait, waiting' },
  '🚗': { file: '1f697', words: 'car, cars' },
  '💼': { file: '1f4bc', words: 'job, jobs, employment' },
  '👋': { file: '1f44b', words: 'hey, hi, hello, welcome' },
  '🙏': { file: '1f64f', words: 'thanks, thank you' },
  '🔒': { file: '1f512', words: 'lock, locked, lock in' },
  '🔍': { file: '1f50d', words: 'inspection, appraisal' },
  '🧮': { file: '1f9ee', words: 'calculate, calculator, dti, debt to income' },
  '📍': { file: '1f4cd', words: 'location, area' },
  '🛏️': { file: '1f6cf-fe0f', words: 'bedroom, bedrooms' },
  '🛁': { file: '1f6c1', words: 'bathroom, bathrooms, bath' },
  '🍳': { file: '1f373', words: 'kitchen' },
  '1️⃣': { file: '31-fe0f-20e3', words: 'step one, number one, tip one' },
  '2️⃣': { file: '32-fe0f-20e3', words: 'step two, number two, tip two' },
  '3️⃣': { file: '33-fe0f-20e3', words: 'step three, number three, tip three' },
} as const
export type Emoji = keyof typeof emojis

export const isEmoji = (text: string): text is Emoji => Object.hasOwn(emojis, text)

/** The longest entry that begins at a word: its emoji and how many words it has. `words` are as written. */
export const emojiAt = (words: readonly string[], at: number): { emoji: Emoji; words: number } | null => {
  for (let count = Math.min(longest, words.length - at); count > 0; count--) {
    const emoji = dictionary.get(
      words
        .slice(at, at + count)
        .map(plain)
        .join(' '),
    )
    if (emoji) return { emoji, words: count }
  }
  return null
}

/** A word without case, punctuation and possessive: `Neighbors,` → `neighbors`. */
export const plain = (word: string): string =>
  word
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/^[^\p{L}\p{N}$]+|[^\p{L}\p{N}%]+$/gu, '')
    .replace(/'s$/, '')

const dictionary = new Map(
  Object.entries(emojis).flatMap(([emoji, { words }]) =>
    words.split(', ').map((word) => [word, emoji as Emoji] as const),
  ),
)
const longest = Math.max(...[...dictionary.keys()].map((words) => words.split(' ').length))
