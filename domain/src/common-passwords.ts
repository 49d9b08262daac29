/**
 * Passwords that guessers try first, written down from well-known habits: names, teams, words of love, keyboard walks,
 * years, and what people of this trade would choose. Compared in lower case; see `isCommon` for spellings and tails.
 */
const words = `
password passwort passw0rd passcode passphrase password1 secret secrets letmein letmein1 welcome welcome1 welcome123
admin admins administrator administrateur root toor guest login signin master default changeme change public private
access access14 system server computer internet network office windows microsoft google apple samsung android iphone
facebook instagram youtube twitter linkedin whatsapp snapchat tiktok netflix spotify amazon paypal ebay yahoo hotmail
gmail outlook skype zoom dropbox test testing tester test123 temp temporary demo example sample user username users
iloveyou iloveu iloveme ilovegod ilovemom ilovedad lovely lover lovers loveme loveyou loveme1 mylove truelove babygirl
babyboy babe baby sweetie sweetheart sweety honey darling angel angels angel1 princess princesa prince queen king
sunshine sunflower sunset sunrise moonlight midnight stargate starlight rainbow butterfly flower flowers rose roses
lily daisy jasmine jasmin violet orchid tulip blossom cherry strawberry banana apple123 orange lemon mango peaches
pumpkin cookie cookies chocolate candy cupcake muffin brownie cheese bacon burger pizza spaghetti coffee tequila
whiskey vodka corona budweiser heineken guinness pepsi cocacola sprite drpepper summer winter spring autumn january
february march april june july august september october november december monday tuesday wednesday thursday friday
saturday sunday christmas halloween easter birthday holiday vacation freedom liberty justice america american usa
england france germany deutschland canada mexico brasil brazil espana portugal italia australia texas florida arizona
nevada alaska hawaii california newyork chicago boston dallas houston phoenix denver detroit seattle atlanta miami
london paris berlin madrid barcelona lisbon tokyo sydney dublin football football1 baseball baseball1 basketball
hockey soccer tennis golf golfer golfing cricket rugby volleyball softball swimming running fishing hunting racing
yankees redsox cubs dodgers giants cowboys steelers packers patriots eagles broncos raiders lakers celtics bulls
rangers bruins penguins flyers redwings arsenal chelsea liverpool liverpool1 everton united manchester realmadrid
juventus benfica jordan jordan23 michael michelle jennifer jessica ashley amanda daniel daniela matthew joshua andrew
anthony william robert richard thomas charles charlie christopher nicholas nicole jonathan joseph benjamin samantha
elizabeth stephanie victoria vanessa veronica patricia barbara margaret katherine kathryn kimberly melissa heather
amber crystal brandon brandi justin austin tyler dylan logan hunter cameron jackson mason ethan jacob joseph1 alexander
alexandra alexis alejandro alejandra carlos fernando francisco eduardo ricardo roberto antonio gabriel gabriela maria
mariana martin martha natalie natasha nathan olivia oliver patrick philip rachel rebecca sandra sabrina sarah steven
stephen teresa timothy tiffany zachary george george1 harley harley1 maggie bailey buster buddy rocky lucky tigger
ginger pepper shadow smokey snoopy snowball sparky max123 molly sophie sammy oreo bandit cooper dakota chester felix
garfield mickey minnie donald goofy bambi nemo shrek pokemon pikachu charmander naruto sasuke dragon dragons dragonball
monkey monkeys tiger tigers lion lions panther eagle eagle1 falcon hawk wolf wolves wolverine bear bears panda kitten
kitty puppy doggie doggy horse horses dolphin dolphins turtle spider snake scorpion phantom superman batman batman1
spiderman ironman wonderwoman avengers starwars startrek jedi yoda vader darthvader chewbacca skywalker hobbit gandalf
frodo harrypotter potter hogwarts matrix trinity morpheus neo gladiator spartan spartans trojan trojans warrior
warriors ninja ninjas samurai knight knights wizard wizards magic magician mystic demon devil satan lucifer heaven
hello hello1 hello123 hellohello helloworld goodbye goodluck bonjour whatever nothing something anything nobody
somebody forever together family friends friend friendship bestfriend brother sister mother father mommy daddy mama
papa grandma grandpa jesus jesus1 jesuschrist christ christian church blessed blessing faith grace hope mercy prayer
heart hearts happy happy1 smile smiley laughing funny crazy killer killer1 hacker hacked hunter2 trustno1 fuckyou
fuckoff fuckme asshole bitch bastard bullshit pussy sexy sexygirl sexyboy hottie naughty money money1 dollar dollars
million millionaire business success winner winning champion legend power powerful strong player gamer gaming xbox
playstation nintendo minecraft fortnite roblox callofduty counterstrike warcraft starcraft diablo zelda mario sonic
ferrari porsche mercedes bmw audi toyota honda nissan mazda subaru mustang mustang1 corvette camaro chevy chevrolet
dodge cadillac yamaha kawasaki ducati suzuki trucker cowboy cowgirl country music guitar piano violin drummer metallica
nirvana slipknot beatles eminem rihanna beyonce shakira madonna elvis rockstar rockyou rocknroll jazz dancer dancing
singer movies hollywood disney disneyland barbie cinderella tinkerbell tweety hellokitty blink182 greenday linkinpark
silver golden diamond platinum emerald ruby sapphire purple yellow orange1 black white green blue blue123 pink brown
red123 scarlet crimson azure thunder lightning storm hurricane tornado volcano ocean river mountain forest desert
island beach surfer snowman blizzard police soldier marine marines army airforce navy ranger sniper doctor nurse
teacher student school college university pilot engineer lawyer manager director secretary computer1 abc123 abcd1234
a1b2c3 a1b2c3d4 aa123456 abc12345 abcdef abcdefg abcdefgh q1w2e3 q1w2e3r4 q1w2e3r4t5 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx
zaq12wsx qazwsx qazwsxedc qweasd qweasdzxc qweqwe asdasd zxczxc qwerty1 qwerty12 qwerty123 qwertyuiop qwer1234 asdf1234
zxcvbnm1 qwaszx asdfjkl asdfghjkl poiuyt mnbvcxz lkjhgf pass1234 pass123 p4ssw0rd pa55word secret1 secret123 monkey1
dragon1 master1 shadow1 sunshine1 princess1 michael1 football123 superman1 iloveyou1 iloveyou2 charlie1 letmein123
admin123 admin1234 root123 user123 guest123 welcome2 changeme1 changeme123 computer123 internet1 samsung1 qwertyui
mortgage mortgages mortgage1 loan loans loanofficer lender lenders lending homeloan homeloans refinance refi realtor
realestate realtor1 broker brokers banker banking escrow closing underwriter underwriting equity housing house houses
homeowner homebuyer fannie freddie fanniemae freddiemac cleartoclose cleartopost cleartoclose1 nmls rates lowrates
preapproved approved approval finance financial credit creditscore payday wealth invest investor property
`

const numbers = `
123456 1234567 12345678 123456789 1234567890 12345 123123 123123123 123321 123654 123789 12341234 12344321 1234321
1234512345 123456123456 0123456 01234567 0123456789 111222 111222333 112233 11223344 1122334455 121212 12121212 131313
141414 151515 159357 159753 147258 147258369 147852 147852369 741852 741852963 753951 789456 789456123 789789 987654
9876543 98765432 987654321 9876543210 654321 7654321 87654321 0987654321 456456 456789 456123 369258 369258147 258456
258369 232323 212121 202020 101010 100200 102030 10203040 1020304050 123000 123456a 123456abc 1234abcd 123abc 123qwe
123qweasd 123asd 12qwaszx 1234qwer 123456q 123456z 12345a 12345q 1234567a 123456789a 123456789q 007007 080808 090909
696969 420420 520520 5201314 1314520 246810 135790 13579 1357924680 24681012 314159 31415926 271828 424242 454545
565656 676767 787878 858585 898989 989898 969696 949494 909090 818181 828282 838383 848484 717171 727272 737373 747474
`

/** Rows of keys and of the alphabet; any piece of one, forwards or backwards, is a walk and no password. */
export const keyboardRows = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '01234567890123456789',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  '!@#$%^&*()_+',
]

// Dates of birth and the like, as people write them: a year twice, a year before or after a common number.
const years = Array.from({ length: 86 }, (_, i) => String(1950 + i)).flatMap((year) => [year + year, `${year}123`])

/** Every one in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(
  [words, numbers].flatMap((text) => text.trim().split(/\s+/)).concat(years),
)
