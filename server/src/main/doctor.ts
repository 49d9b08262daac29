// npm run doctor: looks at every condition of production and says what to do. It starts nothing and changes nothing.
import { doctorReport } from './doctor-report.ts'
import { print } from './terminal.ts'

const { said, isFit } = await doctorReport(process.env)
print(said)
process.exitCode = isFit ? 0 : 1
