import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { isOpenTo } from '../entries.ts'
import { KeysCard } from '../api-keys/keys-card.tsx'
import { PageHead } from '../page-head.tsx'
import { TwoColumns } from '../two-columns.tsx'
import { useLedTo } from '../use-led-to.ts'
import { ThisDeviceCard } from '../push/this-device.tsx'
import { AboutForm } from './about-form.tsx'
import { AvailabilityForm } from './availability-form.tsx'
import { BrandForm } from './brand-form.tsx'
import { CalendarCard } from './calendar-card.tsx'
import { CompanyCard } from './company-card.tsx'
import { DataCard } from './data-card.tsx'
import { DeleteCard } from './delete-card.tsx'
import { HandOverCard } from './hand-over-card.tsx'
import { LicencesForm } from './licences-form.tsx'
import { messages } from './messages.ts'
import { NotificationsCard } from './notifications-card.tsx'
import { SecurityCard } from './security-card.tsx'
import { SignInCard } from './sign-in-card.tsx'

/** Everybody's own page: who I am, how my videos look, what I sign in with. */
export const ProfilePage = () => {
  const user = useUser()
  // A brand kit is for who has videos.
  const hasKit = isOpenTo(user, paths.newVideo)
  useLedTo(true)
  return (
    <>
      <PageHead title={hasKit ? messages.titleWithBrand : messages.title} />
      <div className="mx-auto grid max-w-page grid-cols-[minmax(0,1fr)] items-start gap-5 px-4 py-5 md:px-6 xl:grid-cols-[minmax(0,1fr)_24rem] wide:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <TwoColumns>
            <AboutForm isInVideos={hasKit} />
            <>
              {hasKit && <LicencesForm />}
              <AvailabilityForm />
            </>
          </TwoColumns>
          {hasKit && <BrandForm />}
          <NotificationsCard />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <CompanyCard />
          <HandOverCard />
          <ThisDeviceCard />
          <CalendarCard />
          <SignInCard />
          <SecurityCard />
          <KeysCard />
          <DataCard />
          <DeleteCard />
        </div>
      </div>
    </>
  )
}
