/**
 * The demo's library of scripts: about a minute each, in plain English. They promise no rate, no payment, no approval and
 * no saving, name no program's terms, and end by saying who speaks. Square brackets are for the officer to fill.
 */
export const demoLibrary: readonly {
  title: string
  backgroundColor: string
  scripts: readonly { title: string; tags: readonly string[]; content: string }[]
}[] = [
  {
    title: 'First home',
    backgroundColor: '#E8EEFF',
    scripts: [
      {
        title: 'Three papers to find this weekend',
        tags: ['first-time buyer', 'documents'],
        content: `Thinking about your first home this year? Here is a weekend job that makes everything after it easier. Find three things. One: your last two pay stubs. Two: your W-2s or tax returns for the past two years. Three: two months of bank statements, every page, even the blank ones. Put photos or PDFs of them in one folder. When you are ready to talk to a lender, you will not be digging through drawers, and the conversation can be about you instead of your paperwork. You do not need perfect numbers to start. You need a clear picture. If you have questions about what belongs in that folder, send me a message. I am [name], NMLS [number], with [company]. Equal Housing Lender.`,
      },
      {
        title: 'Prequalified or preapproved?',
        tags: ['first-time buyer', 'preapproval'],
        content: `Two words that sound the same and are not: prequalified and preapproved. A prequalification is usually a conversation. You tell a lender what you earn and owe, and you get a rough idea. A preapproval goes further. The lender looks at your documents and your credit, and puts in writing what you may be able to borrow, based on what they checked. Neither one is a final loan approval, and things can change before closing. But when you make an offer, the seller wants to know how much homework has been done. Lenders use these words in different ways, so ask this: what did you actually review? I am [name], NMLS [number], at [company]. Ask me anything. Equal Housing Lender.`,
      },
      {
        title: 'What closing day really looks like',
        tags: ['first-time buyer', 'closing'],
        content: `Nobody tells you what closing day feels like, so let me. You sit at a table, or sometimes at a screen, and you sign. A lot. Before that day you receive a document called the Closing Disclosure. Read it slowly, at your kitchen table, and compare it with the Loan Estimate you got at the start. Circle anything you do not recognize and call your lender. On the day itself, bring a government ID and ask ahead how to send your funds. One warning: never trust wiring instructions that arrive by e-mail. Call a number you already know and confirm them by voice. Then take the keys, and a photo. I am [name], NMLS [number], [company]. Equal Housing Lender.`,
      },
    ],
  },
  {
    title: 'How a loan works',
    backgroundColor: '#E6F4EE',
    scripts: [
      {
        title: 'From application to clear to close',
        tags: ['process', 'education'],
        content: `Where is my loan right now? I hear that question every day, so here is the map. Stop one is the application: you tell us your story and share your documents. Stop two is processing: we check that every page is there. Stop three is the appraisal, an independent opinion of what the home is worth. Stop four is underwriting: a person reviews everything, and often asks for one or two more papers. That is normal, it is not bad news. Stop five has my favorite name: clear to close. It means the conditions are met and we can schedule the signing. How long each stop takes depends on the file. I am [name], NMLS [number], with [company]. Equal Housing Lender.`,
      },
      {
        title: 'Please do not buy the couch yet',
        tags: ['process', 'tips'],
        content: `You applied for a home loan and you found the perfect couch. Please wait. Between application and closing, lenders may check your credit and your job again. New debt, a new job, or a large deposit nobody can explain can slow your file down, or change the decision. So here is the short list. Do not open new cards. Do not finance furniture or a car. Do not move money around without keeping the receipts. Do not change jobs without calling your loan officer first. Life happens, and sometimes you have no choice. Then call early, because surprises are much easier to handle in week one than on closing day. I am [name], NMLS [number], [company]. Equal Housing Lender.`,
      },
      {
        title: 'What the appraisal is, and is not',
        tags: ['process', 'appraisal'],
        content: `Let us clear up the appraisal. An appraisal is an independent opinion of what a home is worth. The lender orders it, an appraiser writes it, and neither you nor I choose who that is. It is not a home inspection. The appraiser is not there to test the furnace or look for a leak, so talk with your agent about a separate inspection. What if the value comes in lower than the price? You usually have options: talk to the seller, look at your down payment, or ask for a review if facts were missed. Nobody can promise you a number. But you are entitled to a copy of the report, so read it. I am [name], NMLS [number], with [company]. Equal Housing Lender.`,
      },
    ],
  },
  {
    title: 'Credit and budget',
    backgroundColor: '#FFF1E3',
    scripts: [
      {
        title: 'Check your credit report for free',
        tags: ['credit', 'tips'],
        content: `Before you shop for a home, shop for mistakes. You can get your credit reports at no cost from the three national bureaus, at annual credit report dot com. Checking your own report does not hurt your score. Look for three things. Accounts you do not recognize. Balances that you already paid. Your name or address spelled wrong. If you find an error, dispute it with the bureau in writing and keep a copy. It takes time, so do it months before you apply, not days. And be careful with anyone who promises to fix your credit overnight for a fee. If you want to know how lenders read a report, ask me. I am [name], NMLS [number], [company]. Equal Housing Lender.`,
      },
      {
        title: 'The number lenders look at: debt to income',
        tags: ['budget', 'education'],
        content: `There is a number lenders look at that has nothing to do with your score. It is called debt to income. Here is how to find yours. Add up what you must pay every month: car, student loans, minimum payments on cards, and the housing payment you are considering. Divide that by what you earn in a month before taxes. That is it. Different loan programs treat this number differently, and it is only one part of the picture. But knowing it helps you set your own limit, and your limit matters more than any lender's. The right payment is the one that lets you sleep. Want help with the arithmetic? I am [name], NMLS [number], with [company]. Equal Housing Lender.`,
      },
      {
        title: 'More than the mortgage payment',
        tags: ['budget', 'first-time buyer'],
        content: `What does a home cost each month? More than the loan. Let us count. There is principal and interest: that is the loan itself. There are property taxes, which can change from year to year. There is homeowners insurance. There may be mortgage insurance, and there may be association dues. And then the things no statement shows: a water heater, a fence, a tree that picks the wrong night to fall. So when you plan, leave yourself room. Try this: for three months, put the difference between your rent and your planned payment into savings. If it feels fine, you have learned something. If it hurts, you have learned something even better. I am [name], NMLS [number], [company]. Equal Housing Lender.`,
      },
    ],
  },
  {
    title: 'Owners',
    backgroundColor: '#F1EAFB',
    scripts: [
      {
        title: 'Does a refinance make sense for you?',
        tags: ['refinance', 'education'],
        content: `Should you refinance? Honest answer: it depends, and here is how to think about it. A refinance replaces your loan with a new one, and that new loan has costs. So ask four questions. What will it cost me, all together? What changes in my payment and in how long I pay? How long will I stay in this home? And what am I trying to achieve: a different payment, a different term, or cash for a project? Starting a long loan over can mean paying more interest in total, even when the monthly payment goes down. For some owners it helps, for others the best move is no move. I will gladly look at it with you. I am [name], NMLS [number], [company]. Equal Housing Lender.`,
      },
      {
        title: 'Home equity, explained at the kitchen table',
        tags: ['equity', 'education'],
        content: `Equity sounds like a banker's word, so let us make it simple. Take what your home could sell for. Subtract what you still owe. What is left is your equity. It grows when you pay down the loan, and it moves up and down with the market. Some owners borrow against it, for a roof, for tuition, to combine other debts. It can be useful. It is also serious, because your home stands behind that loan, and missing payments can put it at risk. So before you ask how much could I borrow, ask what is it for, and how will I pay it back. If you want to talk it through, I am here. I am [name], NMLS [number], with [company]. Equal Housing Lender.`,
      },
      {
        title: 'Your yearly home loan check-up',
        tags: ['owners', 'tips'],
        content: `You take your car in once a year. Do the same for your home loan. It takes fifteen minutes. First, look at your statement: is the escrow for taxes and insurance higher than last year, and do you know why? Second, call your insurance agent and ask whether your coverage still matches what it would cost to rebuild. Third, check whether you qualify for a homestead or other property tax exemption where you live. Fourth, if you pay mortgage insurance, ask your servicer what the rules are for removing it. No sales pitch, no paperwork, only a list. If any answer surprises you, send it to me and we will read it together. I am [name], NMLS [number], [company]. Equal Housing Lender.`,
      },
    ],
  },
  {
    title: 'Partners and neighbors',
    backgroundColor: '#FDE9E4',
    scripts: [
      {
        title: 'Thank an agent by name',
        tags: ['partners', 'relationship'],
        content: `I want to tell you about somebody who made a hard closing look easy. [Agent], of [office], was helping a family buy their first place. Two days before signing, a document went missing. It happens. What does not always happen is what came next: [Agent] drove across town, sat with the sellers, and had the signature before dinner. Nobody asked for that, and nobody was paid extra for it. When you buy a home, you choose an agent, a lender, an inspector, a title company. Choose people who pick up the phone. You are always free to work with anyone you like. I only want to say thank you, out loud. I am [name], NMLS [number], with [company]. Equal Housing Lender.`,
      },
      {
        title: 'A local place worth knowing',
        tags: ['community', 'local'],
        content: `No loans today. I want to show you a place. This is [business] on [street], and if you have lived in [town] for a while, you probably have a story about it. Mine is simple: [your story, one or two sentences]. What I like most is that they know people by name. When I talk with families who are thinking about moving here, they ask about schools and commutes and taxes. All good questions. But what makes a house a home is often a place like this, five minutes away. If you stop by, tell them I said hello. And tell me in the comments: which place should I visit next? I am [name], NMLS [number], [company]. Equal Housing Lender.`,
      },
      {
        title: 'Watch out for wire fraud',
        tags: ['safety', 'community'],
        content: `This is the most important minute I will record this year. Criminals watch for home closings. They send an e-mail that looks like it came from your title company, your agent, even from me. It says the wiring instructions have changed. It looks real, and it is urgent. Do not send money. Stop, and pick up the phone. Call a number you already had before that message came, not a number from inside it. Ask a person to read the instructions to you. If you already sent a wire and something feels wrong, call your bank right away and ask them to recall it, and report it to the FBI at I C 3 dot gov. Minutes matter. I am [name], NMLS [number], [company]. Equal Housing Lender.`,
      },
    ],
  },
]
