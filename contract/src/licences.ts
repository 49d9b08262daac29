import { z } from 'zod'
import { licenceStateCodes, nmlsDigits } from '@clear-to-post/domain/licences'

/** A number of the Nationwide Multistate Licensing System as people write it; kept as digits. Empty takes it away. */
export const NmlsNumber = z
  .string()
  .max(40)
  .refine((written) => nmlsDigits(written) !== null, 'Write the NMLS number in digits, such as 120456')
  .transform((written) => nmlsDigits(written)!)

/** States by postal code, each once and in the list's order. */
export const LicenceStates = z
  .array(z.enum(licenceStateCodes))
  .max(licenceStateCodes.length)
  .transform((chosen) => licenceStateCodes.filter((code) => chosen.includes(code)))
