/* prose.c - lists of words; see prose.h. */
#include "prose.h"
#include "base/banned.h"

const char prose_function_words[] =
    " the a of in on at to and is was are were for with by from that this it its than "
    "not all more most has had have which but or there be i you we they who "
    "what can could cannot how each out our your as much many only every both "
    "between after twice half made sold ";

const char prose_foreign_words[] =
    " der die das und ist von zu im mit auf ein eine nicht le les des du et "
    "est une dans pour sur y que del por il di che per una sono het een com "
    "och att det som ";

const char prose_common_words[] =
    " the a an of in to and is was are were for with by on at from that this "
    "it its as than not no all more most has had have which but or there be "
    "i you we they who what can could cannot how each so our your these those "
    "here if when while where why since during after before between among "
    "across within without over under above below about because however "
    "overall total totals sum average mean median note notes notably please "
    "also only both neither either every some any many much few several one "
    "two three four five six seven eight nine ten first second third fourth "
    "fifth last next previous finally then thus hence therefore meanwhile "
    "although though despite compared combined together based according "
    "looking given using whether unfortunately sorry yes hello hi thanks "
    "thank welcome good great data dataset datasets database table tables "
    "column columns row rows result results query queries question answer "
    "report summary details detail insight insights key finding findings "
    "observation observations conclusion recommendation recommendations "
    "assumption assumptions assumed caveat caveats limitation limitations "
    "verification verified failed passed checks check chart charts figure "
    "figures value values number numbers count counts amount amounts revenue "
    "revenues sale sales profit profits margin margins cost costs price "
    "prices order orders customer customers product products store stores "
    "item items city cities country countries region regions state states "
    "category categories month months year years quarter quarters week weeks "
    "day days date dates time period periods today yesterday top bottom "
    "highest lowest largest smallest biggest best worst leading other others "
    "rest remaining none unknown growth decline increase decrease change "
    "changes difference differences share shares percentage percent ratio "
    "rate rates trend trends performance ranking rank group groups segment "
    "segments type types status name names source sources metric metrics "
    "measure measures dimension dimensions filter filters grain lineage step "
    "steps sql python markdown postgresql json csv usd eur gbp january "
    "february march april may june july august september october november "
    "december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday "
    "wednesday thursday friday saturday sunday english nothing everything "
    "something someone people users user let lets feel ask try want consider "
    "see like such example examples instead perhaps maybe possible available "
    "missing cannot semantic model ontology business company market units "
    "unit quantity line lines employee employees supplier suppliers team "
    "new old full part main net gross annual monthly quarterly weekly daily "
    "yearly as well furthermore moreover additionally similarly conversely "
    "american british german french spanish italian dutch swiss european "
    "asian african chinese japanese indian canadian mexican brazilian russian "
    "specifically interestingly importantly surprisingly ";

const char prose_name_verbs[] =
    " has had have is was leads led made makes sold sells earned earns "
    "generated generates ranks ranked tops topped comes came follows followed "
    "brought brings accounts accounted contributed contributes reached grew "
    "fell rose shows showed recorded takes took stands stood saw dominates reports "
    "says states expects closed opened won lost beats ";

const char prose_releases[] =
    " than ahead behind next followed follows second runner total totals "
    "totalling totaling overall average mean median all rest other others "
    "versus vs combined together compared against between another remaining "
    "sum whole altogether among across beats exceeds while whereas range "
    "ranges ranging spread spans ";

const char prose_changes[] =
    " grew grow grows grown growing growth rose rise rises risen rising "
    "increase increased increases increasing climbed climbs climb gained "
    "gains gain jumped surged soared expanded fell fall falls fallen falling "
    "dropped drop drops declined decline declines decreased decrease "
    "decreases shrank shrunk slipped plunged sank tumbled lost up down went "
    "changed change changes recovered doubled tripled halved improved "
    "worsened reduced reduction trend development ";

const char prose_differences[] =
    " more less higher lower fewer larger smaller greater than ahead behind "
    "difference differences differ differs gap lead leads margin versus vs "
    "against between compared times twice factor ratio spread range exceeds "
    "exceeded trails beats outsells double half third quarter thirds "
    "quarters much as over below above share ";

const char prose_wholes[] =
    " all total whole accounts account accounted share represents represent "
    "contributes contributed contribute everything overall ";

const char prose_rests[] = " rest other others remaining remainder else ";

const char prose_losses[] =
    " loss losses lost fell fall falls decline declined declines drop dropped "
    "drops decrease decreased decreases down below deficit negative less "
    "lower behind shrank minus under refund refunds return returns short "
    "worse reduction reduced cut discount discounts ";

const char prose_ratios[] =
    " per ratio each average mean times factor every fold apiece ";

const char prose_cuts[] =
    " shown cut truncated limited listed read displayed partial incomplete ";

const char prose_ranks[] =
    " top first last bottom best worst largest biggest highest smallest lowest "
    "leading next upper lower ";

const char prose_sums[] =
    " together combined total totals totalling totaling sum both add adds rest "
    "remaining altogether account accounts accounted jointly overall "
    "represent represents ";

const char prose_limits[] =
    " over above below under than least most between and top first last bottom "
    "past previous next since until limit limited exceeding per every within "
    "of to from by on at id number no only ";

const char prose_time_units[] =
    " day days week weeks month months quarter quarters year years hour hours "
    "minute minutes rows row ";

const char prose_things[] =
    " reason reasons point points way ways step steps query queries question "
    "questions option options part parts thing things factor factors result "
    "results example examples column columns table tables chart charts "
    "dataset datasets section sections check checks note notes ";

const char prose_excuses[] =
    " cannot can t not no unable isn without missing don doesn lacks lack "
    "could try ask would should such example instead if available impossible "
    "whether ";

const char prose_findings[] =
    " highest lowest largest smallest biggest fewest leads led tops topped "
    "grew grows rose fell dropped declined increased decreased doubled tripled "
    "halved climbed gained shrank exceeded outperformed peaked amounts "
    "amounted totaled totalled ";
