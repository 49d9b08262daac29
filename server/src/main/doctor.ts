// npm run doctor: looks at every condition of production and says what to do. It starts nothing and changes nothing.
import { forTerminal } from '@clear-to-post/contract/visible'
import { doctorReport } from './doctor-report.ts'

const { said, isFit } = await doctorReport(process.env)
// Some of it others wrote: what a mail server answered, say.
console.log(forTerminal(said))
process.exitCode = isFit ? 0 : 1
