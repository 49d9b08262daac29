import { Contact } from './contact.tsx'
import { Faq } from './faq.tsx'
import { Frame } from './frame.tsx'
import { Hero } from './hero.tsx'
import { How } from './how.tsx'
import { Plans } from './plans.tsx'
import { Testimonies } from './testimonies.tsx'

/** The front page: five anchored sections (docs/specification/pages.md). */
export const HomePage = () => (
  <Frame>
    <Hero />
    <How />
    <Testimonies />
    <Plans />
    <Faq>
      <Contact />
    </Faq>
  </Frame>
)
