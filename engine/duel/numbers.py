"""The numbers of the rulebook that no table of the component file has. Knows nothing else: rules use them by name, and
the page of rules reads them off the box."""

ROUNDS = 4
TURNS = 4  # of each player in a round
DEALT = 3  # orders at the start, of which one goes back
SHOPS = 8  # of each player
HELP_LIMIT = 4
HELPS = (1, 2)  # what the two kinds of Help cards add
TECHNOLOGY_ROW = 5
CHURCH_ROW = 6
BONUS_ROW = 3
TRADER_LEVEL = 3
BUILDING_LEVEL = 4
BONUS_LEVEL = 5  # one reward; each level above brings one more
TOP_LEVEL = 5  # for a place's own table every influence above counts as this
SHOP_PRICE = 1
RENT = 1
UNIT = 2  # yen that do what an import does in the laboratory and the port
FREE_TECHNOLOGIES = 3  # from the next one on, one unit more is due
SPINNING_YEN, PRESS_YEN, SCHOOL_YEN = 2, 2, 1  # by technologies
EXCHANGE_YEN, EXCHANGE_BELOW = 1, 2  # of the Stock Exchange: so much for whoever has less than that
CALL_PRICE = 1  # of the Telephone
MOST = 6  # points for most orders, and for the highest production cost
HOUSE_POINTS, SHOP_POINTS, FLIPPED_POINTS, IMPORT_POINTS = 5, 1, 4, 1
YEN_A_POINT, GOODS_A_POINT = 2, 3

NUMBERS = {name.lower(): value for name, value in vars().copy().items() if name.isupper()}
