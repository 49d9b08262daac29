/**
 * The emoji of the trade: few, and only where the word means just that; and those that people like to type. By the first
 * column the picture is named (`edit/emoji/<file>.webp`, Fluent Emoji, MIT); the words are as they are spoken, in small
 * letters.
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
  // No word of a script means just one of these: they are there to be typed or chosen.
  '❤️': { file: '2764-fe0f', words: '', name: 'heart' },
  '🔥': { file: '1f525', words: '', name: 'fire' },
  '⭐': { file: '2b50', words: '', name: 'star' },
  '🌟': { file: '1f31f', words: '', name: 'bright star' },
  '✨': { file: '2728', words: '', name: 'sparkles' },
  '👇': { file: '1f447', words: '', name: 'down here' },
  '👉': { file: '1f449', words: '', name: 'over there' },
  '👆': { file: '1f446', words: '', name: 'up here' },
  '👍': { file: '1f44d', words: '', name: 'thumbs up' },
  '👏': { file: '1f44f', words: '', name: 'applause' },
  '🙌': { file: '1f64c', words: '', name: 'raised hands' },
  '💪': { file: '1f4aa', words: '', name: 'strength' },
  '😊': { file: '1f60a', words: '', name: 'smile' },
  '😀': { file: '1f600', words: '', name: 'grin' },
  '😍': { file: '1f60d', words: '', name: 'loving it' },
  '😎': { file: '1f60e', words: '', name: 'cool' },
  '😉': { file: '1f609', words: '', name: 'wink' },
  '🤔': { file: '1f914', words: '', name: 'thinking' },
  '🥳': { file: '1f973', words: '', name: 'party' },
  '💯': { file: '1f4af', words: '', name: 'hundred' },
  '🎯': { file: '1f3af', words: '', name: 'bullseye' },
  '🚀': { file: '1f680', words: '', name: 'rocket' },
  '🏆': { file: '1f3c6', words: '', name: 'trophy' },
  '🎁': { file: '1f381', words: '', name: 'gift' },
  '🥂': { file: '1f942', words: '', name: 'cheers' },
  '📧': { file: '1f4e7', words: '', name: 'e-mail' },
  '✉️': { file: '2709-fe0f', words: '', name: 'envelope' },
  '📩': { file: '1f4e9', words: '', name: 'send me a message' },
  '💬': { file: '1f4ac', words: '', name: 'comment' },
  '📱': { file: '1f4f1', words: '', name: 'mobile' },
  '☎️': { file: '260e-fe0f', words: '', name: 'telephone' },
  '🎥': { file: '1f3a5', words: '', name: 'camera' },
  '📣': { file: '1f4e3', words: '', name: 'announcement' },
  '🔔': { file: '1f514', words: '', name: 'bell' },
  '📌': { file: '1f4cc', words: '', name: 'pin' },
  '⏰': { file: '23f0', words: '', name: 'alarm clock' },
  '💲': { file: '1f4b2', words: '', name: 'dollar sign' },
  '💸': { file: '1f4b8', words: '', name: 'money with wings' },
  '🏘️': { file: '1f3d8-fe0f', words: '', name: 'houses' },
  '🏢': { file: '1f3e2', words: '', name: 'office' },
  '🏗️': { file: '1f3d7-fe0f', words: '', name: 'new construction' },
  '🛋️': { file: '1f6cb-fe0f', words: '', name: 'sofa' },
  '🚪': { file: '1f6aa', words: '', name: 'door' },
  '🌳': { file: '1f333', words: '', name: 'tree' },
  '☀️': { file: '2600-fe0f', words: '', name: 'sun' },
  '👀': { file: '1f440', words: '', name: 'eyes' },
  '👪': { file: '1f46a', words: '', name: 'family' },
  '🐶': { file: '1f436', words: '', name: 'dog' },
  '☕': { file: '2615', words: '', name: 'coffee' },
  '🎓': { file: '1f393', words: '', name: 'graduation' },
  '➡️': { file: '27a1-fe0f', words: '', name: 'to the right' },
  '⬇️': { file: '2b07-fe0f', words: '', name: 'downward' },
  '✔️': { file: '2714-fe0f', words: '', name: 'check mark' },
  '❌': { file: '274c', words: '', name: 'cross' },
  '❗': { file: '2757', words: '', name: 'exclamation mark' },
  '🆕': { file: '1f195', words: '', name: 'new' },
  '4️⃣': { file: '34-fe0f-20e3', words: '', name: 'four' },
  '5️⃣': { file: '35-fe0f-20e3', words: '', name: 'five' },
} as const satisfies Record<string, { file: string; words: string; name?: string }>
export type Emoji = keyof typeof emojis

export const isEmoji = (text: string): text is Emoji => Object.hasOwn(emojis, text)

/** What an emoji is called: `home`. */
export const nameOf = (emoji: Emoji): string => {
  const { words, ...more } = emojis[emoji]
  return 'name' in more ? more.name : words.split(', ')[0]!
}

/** The picture for an emoji as it was typed, with or without a skin's tone or a variation selector; null without one. */
export const pictureOf = (typed: string): Emoji | null => byBare.get(bare(typed)) ?? null

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
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/^[^\p{L}\p{N}$]+/u, '')
    .replace(/(?<![^\p{L}\p{N}%])[^\p{L}\p{N}%]+$/u, '')
    .replace(/'s$/, '')

const bare = (emoji: string): string => emoji.replace(/\p{Variation_Selector}|\p{Emoji_Modifier}/gu, '')
const byBare = new Map((Object.keys(emojis) as Emoji[]).map((emoji) => [bare(emoji), emoji]))

const dictionary = new Map(
  Object.entries(emojis).flatMap(([emoji, { words }]) =>
    words === '' ? [] : words.split(', ').map((word) => [word, emoji as Emoji] as const),
  ),
)
const longest = Math.max(...[...dictionary.keys()].map((words) => words.split(' ').length))
