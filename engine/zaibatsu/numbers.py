"""The numbers of the rulebook that no table of the component file has. Knows nothing else: rules use them by name, and
the page of rules reads them off the box."""

MOST = 3  # activations of an action
STEP_PRICES = (0, 1, 3, 6)  # money for steps on Research or Mining
RD_FOR_SILK = (0, 1, 3, 6)  # silk in place of Research, for one factory
FACTORY_PRICE = 6
CHEAPER = 2  # by a Starting token
MACHINE_PRICE = 5
IRON_PRICE = 3  # a ship or a train
MONEY_PRICE = 5  # and 1 iron: the other way to pay for one
MARKET_VP = 2
FINANCE_STEPS = 2  # of an investment
WORKER_ROOM = 6
PIECES = 6  # ships, machines and trains of each player
GOODS_ROOM = 4  # below a factory
MACHINE_ROOM = 2
SALARY = 3  # for each colour
ENOUGH_FOR_TWO = 4  # workers with whom the topmost one's Department pays too
WORKERS_A_COLOUR = 8
HIRING_ROOM = 3  # workers on a hiring space, and in a row of the queue
FINAL_ROUNDS = 3
TRAIN_INFLUENCE = 2
SPARE_GOODS = 2  # by a Starting token
KEPT_COAL = 3
THINGS_A_POINT = 3
MONEY_A_POINT = 5

NUMBERS = {name.lower(): value for name, value in vars().copy().items() if name.isupper()}
