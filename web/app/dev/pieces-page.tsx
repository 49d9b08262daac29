import { Toasts } from '../ui/toasts.tsx'
import { Colours, Fonts, Look } from './look-pieces.tsx'
import { Buttons, Choices, Fields, FormPieces } from './field-pieces.tsx'
import { Floating, ToastPieces } from './floating-pieces.tsx'
import { Lists, States, Status } from './state-pieces.tsx'
import { CaptionPieces, PlanPieces, PlayerPiece, Reveals } from './video-pieces.tsx'

/**
 * `/dev/ui`: every piece of the design system in every state, in the theme and the two colours that one chooses here. For
 * who builds the product (the server answers this address while developing only), so its words are English and stay here.
 */
export const PiecesPage = () => (
  <main id="content" className="mx-auto grid max-w-6xl gap-10 px-4 py-8 md:px-8">
    <title>The pieces · Clear to Post</title>
    <h1 className="text-3xl font-bold">The pieces</h1>
    <Look />
    <Colours />
    <Buttons />
    <Fields />
    <Choices />
    <FormPieces />
    <Floating />
    <ToastPieces />
    <Status />
    <States />
    <Lists />
    <Fonts />
    <CaptionPieces />
    <PlanPieces />
    <Reveals />
    <PlayerPiece />
    <Toasts />
  </main>
)
